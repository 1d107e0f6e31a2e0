/** Generated from the OpenAPI document by `npm run client`. Not to be edited. */

export interface paths {
    "/v1/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the API keys, newest first */
        get: operations["listApiKeys"];
        put?: never;
        /** Make an API key; it is shown in this one answer */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/api-keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke an API key; within 2 s no process takes it any more */
        delete: operations["revokeApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who the caller is and what it may do */
        get: operations["me"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in: exchange an API key for a session
         * @description Sets a cookie for 12 hours. The session ends with its key.
         */
        post: operations["signIn"];
        /** Sign out: the browser forgets the session */
        delete: operations["signOut"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether PostgreSQL and Redis are up, and since when
         * @description Answers a session also while both are away.
         */
        get: operations["readStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List accepted events, newest first
         * @description A producer sees its own. Inside a fixed `from` and `to` the list is stable: whoever pages misses none.
         */
        get: operations["listEvents"];
        put?: never;
        /**
         * Announce a status change
         * @description 202 means committed. The same key with the same content gets the same answer with `duplicate: true`; without a key the content itself is the key.
         */
        post: operations["postEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Announce up to 500 status changes, accepted in their order; each stands alone */
        post: operations["postEventBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/{notificationId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read an event with its envelope and deliveries */
        get: operations["readEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List deliveries, newest first; a live view */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/deliveries/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a delivery with every attempt */
        get: operations["readDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/consumers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the consumers, newest first */
        get: operations["listConsumers"];
        put?: never;
        /** Register a consumer */
        post: operations["registerConsumer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/consumers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a consumer */
        get: operations["readConsumer"];
        put?: never;
        post?: never;
        /**
         * Remove a consumer
         * @description Cancels what is open for it and delivers nothing more.
         */
        delete: operations["removeConsumer"];
        options?: never;
        head?: never;
        /**
         * Change a consumer
         * @description A changed URL holds from the next attempt on; each attempt records the URL that it used.
         */
        patch: operations["changeConsumer"];
        trace?: never;
    };
    "/v1/consumers/{id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop sending to a consumer
         * @description Its deliveries wait, however long, and none is lost. What is under way ends as it ends.
         */
        post: operations["pauseConsumer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/consumers/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send to a consumer again
         * @description Ends its pause and closes its circuit. What waited goes at once, in order, at its own pace.
         */
        post: operations["resumeConsumer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/queue/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop sending to everybody
         * @description Accepting goes on, and nothing is lost.
         */
        post: operations["pauseSending"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/queue/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send again
         * @description Consumers that are paused on their own account stay paused.
         */
        post: operations["resumeSending"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        CreateApiKeyDto: {
            /**
             * @description The caller's identity: a producer's keys share a name while one replaces the other.
             * @example payments-hub
             */
            name: string;
            roles: ("producer" | "viewer" | "oncall" | "operator" | "admin")[];
            /**
             * Format: date-time
             * @description Absent: it does not expire.
             */
            expiresAt?: string;
        };
        ApiKeyCreatedDto: {
            /** Format: uuid */
            id: string;
            name: string;
            roles: ("producer" | "viewer" | "oncall" | "operator" | "consumer" | "admin")[];
            /** Format: uuid */
            consumerId: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            expiresAt: string | null;
            /** Format: date-time */
            revokedAt: string | null;
            /**
             * @description Shown this once.
             * @example pnd_…
             */
            key: string;
        };
        ApiKeyDto: {
            /** Format: uuid */
            id: string;
            name: string;
            roles: ("producer" | "viewer" | "oncall" | "operator" | "consumer" | "admin")[];
            /** Format: uuid */
            consumerId: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            expiresAt: string | null;
            /** Format: date-time */
            revokedAt: string | null;
        };
        PaginationDto: {
            /** @example 100 */
            offset: string;
            moreRecords: boolean;
        };
        ApiKeyListDto: {
            apiKeys: components["schemas"]["ApiKeyDto"][];
            pagination: components["schemas"]["PaginationDto"];
        };
        MeDto: {
            /**
             * @description The name of the API key.
             * @example payments-hub
             */
            name: string;
            /** @description The roles that the key was given. */
            roles: ("producer" | "viewer" | "oncall" | "operator" | "consumer" | "admin")[];
            /** @description The same with the roles that those include: a route is open when it names one of these. */
            may: ("producer" | "viewer" | "oncall" | "operator" | "consumer" | "admin")[];
            /**
             * Format: uuid
             * @description The consumer that a key of the role `consumer` is bound to.
             */
            consumerId: string | null;
        };
        SignInDto: {
            /** @description The API key, as it was shown when it was made. */
            apiKey: string;
        };
        PartDto: {
            /** @enum {string} */
            name: "postgres" | "redis";
            /** @enum {string} */
            state: "up" | "down";
            /**
             * Format: date-time
             * @description Since when it has been in this state, as far as this process has seen.
             */
            since: string;
            /** @description What was said when it was asked; when it is down. */
            detail: string | null;
            /** @description What this means and what to do; when it is down. */
            whatToDo: string | null;
        };
        StatusDto: {
            /** Format: date-time */
            asOf: string;
            /** @description Redis only where the queue lives in it. */
            parts: components["schemas"]["PartDto"][];
        };
        AchAccountDto: {
            /**
             * @description Type of account.
             * @example CHECKING
             */
            accountType: string;
            /**
             * @description Account identifier.
             * @example 000123456789
             */
            accountId: string;
        };
        AchPartyDto: {
            /**
             * @description ACH company identifier of the party. It routes the event to consumers, so an empty one is refused.
             * @example 1234567890
             */
            achCompanyId?: string;
            /**
             * @description ACH company name of the party.
             * @example ACME PAYROLL
             */
            achCompanyName?: string;
            /**
             * @description Company name of the party.
             * @example Acme Corporation
             */
            name?: string;
            /**
             * @description Routing number of the party's financial institution.
             * @example 021000021
             */
            financialInstitution?: string;
            /** @description The party's account. */
            account: components["schemas"]["AchAccountDto"];
        };
        ReturnNocDto: {
            /**
             * @description Notification Of Change, or return.
             * @example NOC
             * @enum {string}
             */
            type: "NOC" | "Return";
            /**
             * @description Return or NOC reason code.
             * @example C01
             */
            reasonCode: string;
            /**
             * @description Return or NOC reason description.
             * @example Incorrect DFI account number
             */
            reasonDescription: string;
        };
        AchEventInfoDto: {
            /**
             * @description Unique identifier of the transaction.
             * @example ACH-2025-000001
             */
            transactionId: string;
            /**
             * @description What the payment's status has changed to.
             * @example PROCESSED
             * @enum {string}
             */
            status: "INITIATED" | "PROCESSED" | "NOTICE_OF_CHANGE" | "RETURN";
            /**
             * @description Which way the money goes.
             * @example CREDIT
             * @enum {string}
             */
            transactionType: "CREDIT" | "DEBIT";
            /**
             * @description Standard Entry Class code; one that Nacha does not list is accepted and counted.
             * @example PPD
             */
            standardEntryClass: string;
            /**
             * Format: date
             * @description Date of the transfer.
             * @example 2025-11-20
             */
            transferDate?: string;
            /**
             * @description Trace number of the ACH transaction; unique only within its batch.
             * @example 021000020000001
             */
            traceNumber?: string;
            /**
             * @description True when the transaction's pre-note must be processed via EDI only.
             * @example false
             */
            preNote: boolean;
            /**
             * @description Decimal amount as text.
             * @example 1250.00
             */
            amount: string;
            /** @description The party that pays. */
            debtor: components["schemas"]["AchPartyDto"];
            /** @description The party that is paid. */
            creditor: components["schemas"]["AchPartyDto"];
            /** @description Only after a Notification Of Change or a return. */
            returnNOC?: components["schemas"]["ReturnNocDto"];
        };
        AchDataDto: {
            /** @description The ACH payment and its new status. */
            achEventInfo: components["schemas"]["AchEventInfoDto"];
        };
        ExceptionInfoDto: {
            /**
             * @description Wire exception code.
             * @example E101
             */
            exceptionCode: string;
            /**
             * @description Wire exception description.
             * @example Beneficiary account is closed
             */
            exceptionDescription: string;
        };
        WireInfoDto: {
            /**
             * @description Two decimals and a leading 0 below one dollar.
             * @example 25000.00
             */
            paymentAmount: string;
            /**
             * @description Absent: `Not Provided` is filled in.
             * @example Not Provided
             */
            referenceId?: string | "Not Provided";
            /**
             * @description Passed unchanged through the whole interbank chain.
             * @example 3f2c1b7e-8d4a-4c7e-9a51-0f6b2d3c4e5f
             */
            endToEndId?: string;
        };
        OriginatorInfoDto: {
            /**
             * @description Account number associated with the wire company.
             * @example 1234567890123456
             */
            accountNumber: string;
            /**
             * @description D (Deposit) or S (Savings); absent: D is filled in.
             * @default D
             * @example D
             * @enum {string}
             */
            accountType: "D" | "S";
            /**
             * @description Account holder name.
             * @example Acme Corporation
             */
            name: string;
            /**
             * @description Wire company identifier of the originator; routes the event to consumers.
             * @example WIRECO-001
             */
            wireCompanyId?: string;
            /**
             * @description Wire company name of the originator.
             * @example Acme Corporation
             */
            wireCompanyName?: string;
        };
        WireAddressDto: {
            /**
             * @description Street, number and what else stands above the city.
             * @example 1 Main Street
             */
            addressLine?: string;
            /**
             * @description City.
             * @example Springfield
             */
            city?: string;
            /**
             * @description State, where there is one.
             * @example IL
             */
            state?: string;
            /**
             * @description Postal code.
             * @example 62701
             */
            postalCode?: string;
        };
        InstitutionInfoDto: {
            /**
             * @description Name of the institution.
             * @example First Example Bank
             */
            name?: string;
            /**
             * @description Routing number of the institution.
             * @example 021000021
             */
            routingNumber?: string;
            /** @description Address of the institution. */
            address?: components["schemas"]["WireAddressDto"];
        };
        BeneficiaryInfoDto: {
            /**
             * @description Receiving party account number.
             * @example DE89370400440532013000
             */
            accountNumber: string;
            /**
             * @description D (Deposit) or S (Savings); absent: D is filled in.
             * @default D
             * @example D
             * @enum {string}
             */
            accountType: "D" | "S";
            /**
             * @description Account holder name.
             * @example Beispiel GmbH
             */
            name: string;
            /** @description The beneficiary's address. */
            address: components["schemas"]["WireAddressDto"];
            /** @description The beneficiary's bank. */
            institutionInfo: components["schemas"]["InstitutionInfoDto"];
        };
        OriginalWireDto: {
            /** @description Amount and references. */
            wireInfo: components["schemas"]["WireInfoDto"];
            /** @description Who pays. */
            originatorInfo: components["schemas"]["OriginatorInfoDto"];
            /** @description Who is paid. */
            beneficiaryInfo: components["schemas"]["BeneficiaryInfoDto"];
            /**
             * @description What the payment is for.
             * @example Invoice 4711
             */
            remittanceInformation?: string;
        };
        WireEventInfoDto: {
            /**
             * @description Payment key generated when the wire was created.
             * @example WIRE-2025-000001
             */
            paymentId?: string;
            /**
             * @description One of Review, Send Ready, Reject, Error, Exception, Complete, and those that the installation admits.
             * @example Complete
             * @example Review
             * @example Send Ready
             * @example Reject
             * @example Error
             * @example Exception
             * @example Complete
             */
            status?: string;
            /** @description Exceptions, in the producer's order. */
            exceptionInfo?: components["schemas"]["ExceptionInfoDto"][];
            /**
             * @description Input Message Accountability Data.
             * @example 20251120MMQFMP0B000001
             */
            IMAD?: string;
            /**
             * @description Output Message Accountability Data.
             * @example 20251120MMQFMP0B000002
             */
            OMAD?: string;
            /** @description Wire transfer payment detail. */
            originalWire?: components["schemas"]["OriginalWireDto"];
        };
        WireDataDto: {
            /** @description The wire payment and its new status. */
            wireEventInfo: components["schemas"]["WireEventInfoDto"];
        };
        StatusChangeDto: {
            /**
             * @description Which kind of payment changed its status.
             * @example ach.status
             * @enum {string}
             */
            eventType: "ach.status" | "wire.status";
            /**
             * Format: date-time
             * @description When the event occurred; ISO 8601 with an offset, at most 5 minutes ahead. Sent to consumers in UTC.
             * @example 2025-11-20T09:30:00.000Z
             */
            eventDateTime: string;
            /** @description `achEventInfo` for `ach.status`, `wireEventInfo` for `wire.status`, and nothing else. */
            data: components["schemas"]["AchDataDto"] | components["schemas"]["WireDataDto"];
            /** @description Narrows the recipients to these consumers (ids or externalIds). */
            consumers?: string[];
        };
        AddressedDto: {
            /** Format: uuid */
            deliveryId: string;
            /** Format: uuid */
            consumerId: string;
        };
        AcceptedDto: {
            /** Format: uuid */
            notificationId: string;
            /** @enum {string} */
            eventType: "ach.status" | "wire.status";
            /**
             * Format: date-time
             * @description In UTC, as consumers get it.
             */
            eventDateTime: string;
            /** @description The same request was accepted before; nothing new was made. */
            duplicate: boolean;
            /** @description Whom it goes to; empty: it concerns no consumer and is kept as unrouted. */
            deliveries: components["schemas"]["AddressedDto"][];
        };
        BatchItemDto: {
            /**
             * @description Which kind of payment changed its status.
             * @example ach.status
             * @enum {string}
             */
            eventType: "ach.status" | "wire.status";
            /**
             * Format: date-time
             * @description When the event occurred; ISO 8601 with an offset, at most 5 minutes ahead. Sent to consumers in UTC.
             * @example 2025-11-20T09:30:00.000Z
             */
            eventDateTime: string;
            /** @description `achEventInfo` for `ach.status`, `wireEventInfo` for `wire.status`, and nothing else. */
            data: components["schemas"]["AchDataDto"] | components["schemas"]["WireDataDto"];
            /** @description Narrows the recipients to these consumers (ids or externalIds). */
            consumers?: string[];
            /**
             * @description Names the request within this producer, for 7 days; without it the content itself is the key.
             * @example hub-4711
             */
            idempotencyKey?: string;
        };
        BatchDto: {
            /** @description Accepted in this order. */
            events: components["schemas"]["BatchItemDto"][];
        };
        FieldFaultDto: {
            /** @example data.achEventInfo.amount */
            field: string;
            /** @example must be digits, a point and digits */
            message: string;
        };
        BatchItemResultDto: {
            /** @description Its place in the request's array. */
            index: number;
            /**
             * @description Accepted: committed. Rejected: nothing of it is kept.
             * @enum {string}
             */
            status: "accepted" | "rejected";
            /**
             * Format: uuid
             * @description Of an accepted one.
             */
            notificationId?: string;
            /** @description Of an accepted one. */
            duplicate?: boolean;
            /** @description Of a rejected one: every fault. */
            errors?: components["schemas"]["FieldFaultDto"][];
        };
        BatchResultDto: {
            /** @description One for each item, in their order. */
            results: components["schemas"]["BatchItemResultDto"][];
        };
        EventDto: {
            /** Format: uuid */
            notificationId: string;
            /** @enum {string} */
            eventType: "ach.status" | "wire.status";
            /**
             * Format: date-time
             * @description When it happened.
             */
            eventDateTime: string;
            /**
             * Format: date-time
             * @description When it was committed.
             */
            acceptedAt: string;
            /** @description The name of the API key that posted it. */
            producer: string;
            /** @description ACH `transactionId` or wire `paymentId`. */
            paymentId: string | null;
            status: string | null;
            traceNumber: string | null;
            imad: string | null;
            /** @description It concerned no consumer when it was accepted. */
            unrouted: boolean;
        };
        EventListDto: {
            events: components["schemas"]["EventDto"][];
            pagination: components["schemas"]["PaginationDto"];
        };
        DeliveryDto: {
            /** Format: uuid */
            deliveryId: string;
            /** Format: uuid */
            notificationId: string;
            /** Format: uuid */
            consumerId: string;
            /** @enum {string} */
            eventType: "ach.status" | "wire.status";
            paymentId: string | null;
            /** @enum {string} */
            state: "queued" | "sending" | "held" | "delivered" | "dead" | "cancelled";
            /**
             * @description Why it waits, when `state` is `held`.
             * @enum {string|null}
             */
            holdReason: "paused" | "circuit" | "concurrency" | "order" | "secret" | null;
            /**
             * Format: date-time
             * @description Since when it has been on hold, for whatever reasons, without an attempt that counts; while `state` is `held`.
             */
            heldSince: string | null;
            /** @description Attempts recorded so far, probes included. */
            attemptCount: number;
            /**
             * Format: date-time
             * @description When it is due, while `state` is `queued`.
             */
            nextAttemptAt: string | null;
            /** @enum {string|null} */
            lastOutcome: "acknowledged" | "http_status" | "redirect" | "timeout" | "dns" | "connect" | "tls" | "reset" | "blocked_address" | "invalid_response" | null;
            lastHttpStatus: number | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            firstAttemptAt: string | null;
            /** Format: date-time */
            finishedAt: string | null;
            /**
             * @description Why it came to its end, when it has.
             * @enum {string|null}
             */
            endReason: "acknowledged" | "schedule_used_up" | "held_too_long" | "consumer_removed" | "cancelled_by_hand" | null;
        };
        EventDetailDto: {
            /** Format: uuid */
            notificationId: string;
            /** @enum {string} */
            eventType: "ach.status" | "wire.status";
            /**
             * Format: date-time
             * @description When it happened.
             */
            eventDateTime: string;
            /**
             * Format: date-time
             * @description When it was committed.
             */
            acceptedAt: string;
            /** @description The name of the API key that posted it. */
            producer: string;
            /** @description ACH `transactionId` or wire `paymentId`. */
            paymentId: string | null;
            status: string | null;
            traceNumber: string | null;
            imad: string | null;
            /** @description It concerned no consumer when it was accepted. */
            unrouted: boolean;
            /** @description As sent; account numbers are cut to their last four characters for viewers. */
            envelope: {
                [key: string]: unknown;
            };
            deliveries: components["schemas"]["DeliveryDto"][];
        };
        DeliveryListDto: {
            deliveries: components["schemas"]["DeliveryDto"][];
            pagination: components["schemas"]["PaginationDto"];
        };
        AttemptDto: {
            number: number;
            /** Format: date-time */
            startedAt: string;
            durationMs: number;
            /** @enum {string} */
            outcome: "acknowledged" | "http_status" | "redirect" | "timeout" | "dns" | "connect" | "tls" | "reset" | "blocked_address" | "invalid_response";
            httpStatus: number | null;
            /** @description The outcome in words. */
            detail: string;
            /** @description As it was requested and signed. */
            url: string;
            credentialVersion: number;
            /** @description Secrets redacted. */
            requestHeaders: {
                [key: string]: string;
            };
            responseHeaders: {
                [key: string]: string;
            } | null;
            /** @description The first 4 KiB. */
            responseBody: string | null;
            /** @description The consumer sent more than is shown. */
            responseTruncated: boolean;
            /** @description Sent to find out whether a consumer that was down is back: it spent nothing of the schedule. */
            probe: boolean;
            /** @description The consumer's clock minus ours, when they differ by more than a minute: the likeliest cause of refused signatures. */
            clockSkewMs: number | null;
        };
        DeliveryDetailDto: {
            /** Format: uuid */
            deliveryId: string;
            /** Format: uuid */
            notificationId: string;
            /** Format: uuid */
            consumerId: string;
            /** @enum {string} */
            eventType: "ach.status" | "wire.status";
            paymentId: string | null;
            /** @enum {string} */
            state: "queued" | "sending" | "held" | "delivered" | "dead" | "cancelled";
            /**
             * @description Why it waits, when `state` is `held`.
             * @enum {string|null}
             */
            holdReason: "paused" | "circuit" | "concurrency" | "order" | "secret" | null;
            /**
             * Format: date-time
             * @description Since when it has been on hold, for whatever reasons, without an attempt that counts; while `state` is `held`.
             */
            heldSince: string | null;
            /** @description Attempts recorded so far, probes included. */
            attemptCount: number;
            /**
             * Format: date-time
             * @description When it is due, while `state` is `queued`.
             */
            nextAttemptAt: string | null;
            /** @enum {string|null} */
            lastOutcome: "acknowledged" | "http_status" | "redirect" | "timeout" | "dns" | "connect" | "tls" | "reset" | "blocked_address" | "invalid_response" | null;
            lastHttpStatus: number | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            firstAttemptAt: string | null;
            /** Format: date-time */
            finishedAt: string | null;
            /**
             * @description Why it came to its end, when it has.
             * @enum {string|null}
             */
            endReason: "acknowledged" | "schedule_used_up" | "held_too_long" | "consumer_removed" | "cancelled_by_hand" | null;
            /** @description Every attempt, the earliest first. */
            attempts: components["schemas"]["AttemptDto"][];
        };
        CredentialsDto: {
            /**
             * @description No colon and no control characters (RFC 7617).
             * @example bank
             */
            username: string;
            /**
             * @description Sealed at once and never readable again.
             * @example a long random text
             */
            password: string;
        };
        RegisterConsumerDto: {
            /** @example Acme Corporation */
            name: string;
            /**
             * @description The operator's own name for it; unique among live consumers, and taken wherever a consumer is named.
             * @example acme
             */
            externalId?: string;
            /**
             * Format: uri
             * @description Where notifications are POSTed. Kept, shown, requested and signed in its canonical form.
             * @example https://consumer.example/ach-payments-api/v1/hook
             */
            url: string;
            /**
             * @description Whom to call when deliveries fail.
             * @example integration@acme.example
             */
            contact?: string;
            notes?: string;
            eventTypes: ("ach.status" | "wire.status")[];
            /**
             * @description ACH events whose debtor or creditor has one of these `achCompanyId`s concern it.
             * @example [
             *       "1234567890"
             *     ]
             */
            achCompanyIds?: string[];
            /**
             * @description Wire events whose originator has one of these `wireCompanyId`s concern it.
             * @example [
             *       "1234567890"
             *     ]
             */
            wireCompanyIds?: string[];
            /**
             * @description Every payment concerns it, whoever the parties are.
             * @default false
             */
            allPayments: boolean;
            credentials: components["schemas"]["CredentialsDto"];
            /**
             * @description HMAC key. Absent: 256 random bits are made and shown in this one answer.
             * @example whsec_…
             */
            signingSecret?: string;
            /**
             * @description Unit of `x-timestamp`.
             * @default seconds
             * @enum {string}
             */
            timestampUnit: "seconds" | "milliseconds";
            /**
             * @description `payment`: a payment's statuses arrive in the order of acceptance. `none`: as fast as each can.
             * @default payment
             * @enum {string}
             */
            ordering: "payment" | "none";
            /**
             * @description For the whole exchange, in milliseconds.
             * @default 10000
             */
            timeoutMs: number;
            /**
             * @description Deliveries under way at the same time, over all workers.
             * @default 64
             */
            maxConcurrency: number;
            /** @description Deliveries a second, over all workers. Absent: no limit. */
            maxPerSecond?: number;
            /** @description Seconds between attempts. Absent: 13 attempts over about 72 hours. */
            retrySchedule?: number[];
            /** @description Days that a delivery may be held without a single attempt before it is dead; pauses do not count. */
            maxHeldDays?: number;
        };
        CircuitDto: {
            /** Format: date-time */
            openedAt: string;
            failedProbes: number;
            /** Format: date-time */
            nextProbeAt: string | null;
        };
        ConsumerCreatedDto: {
            /** Format: uuid */
            id: string;
            name: string;
            externalId: string | null;
            /**
             * Format: uri
             * @description In the canonical form in which it is requested and signed.
             */
            url: string;
            contact: string | null;
            notes: string | null;
            eventTypes: ("ach.status" | "wire.status")[];
            achCompanyIds: string[];
            wireCompanyIds: string[];
            allPayments: boolean;
            /** @enum {string} */
            timestampUnit: "seconds" | "milliseconds";
            /** @enum {string} */
            ordering: "payment" | "none";
            timeoutMs: number;
            maxConcurrency: number;
            maxPerSecond: number | null;
            /** @description Seconds between attempts; null: the product's own schedule. */
            retrySchedule: number[] | null;
            /** @description Days that a delivery may be held without a single attempt before it is dead; pauses do not count. */
            maxHeldDays: number;
            /** @enum {string} */
            state: "active" | "paused";
            /** Format: date-time */
            pausedAt: string | null;
            pauseReason: string | null;
            /** @description Failed attempts since its last success. */
            failuresInARow: number;
            /** @description Null while its circuit is closed. */
            circuit: components["schemas"]["CircuitDto"] | null;
            /** @description Why its credentials cannot be decrypted, and what to do about it; its deliveries wait until they can. */
            secretFault: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** @description Only when it was made here, and only in this answer: hand it to the consumer now. */
            signingSecret?: string;
        };
        ConsumerDto: {
            /** Format: uuid */
            id: string;
            name: string;
            externalId: string | null;
            /**
             * Format: uri
             * @description In the canonical form in which it is requested and signed.
             */
            url: string;
            contact: string | null;
            notes: string | null;
            eventTypes: ("ach.status" | "wire.status")[];
            achCompanyIds: string[];
            wireCompanyIds: string[];
            allPayments: boolean;
            /** @enum {string} */
            timestampUnit: "seconds" | "milliseconds";
            /** @enum {string} */
            ordering: "payment" | "none";
            timeoutMs: number;
            maxConcurrency: number;
            maxPerSecond: number | null;
            /** @description Seconds between attempts; null: the product's own schedule. */
            retrySchedule: number[] | null;
            /** @description Days that a delivery may be held without a single attempt before it is dead; pauses do not count. */
            maxHeldDays: number;
            /** @enum {string} */
            state: "active" | "paused";
            /** Format: date-time */
            pausedAt: string | null;
            pauseReason: string | null;
            /** @description Failed attempts since its last success. */
            failuresInARow: number;
            /** @description Null while its circuit is closed. */
            circuit: components["schemas"]["CircuitDto"] | null;
            /** @description Why its credentials cannot be decrypted, and what to do about it; its deliveries wait until they can. */
            secretFault: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        ConsumerListDto: {
            consumers: components["schemas"]["ConsumerDto"][];
            pagination: components["schemas"]["PaginationDto"];
        };
        UpdateConsumerDto: {
            name?: string;
            externalId?: string;
            /**
             * Format: uri
             * @description Holds from the next attempt on.
             */
            url?: string;
            contact?: string;
            notes?: string;
            eventTypes?: ("ach.status" | "wire.status")[];
            /**
             * @example [
             *       "1234567890"
             *     ]
             */
            achCompanyIds?: string[];
            /**
             * @example [
             *       "1234567890"
             *     ]
             */
            wireCompanyIds?: string[];
            allPayments?: boolean;
            /** @enum {string} */
            timestampUnit?: "seconds" | "milliseconds";
            /** @enum {string} */
            ordering?: "payment" | "none";
            timeoutMs?: number;
            maxConcurrency?: number;
            maxPerSecond?: number;
            retrySchedule?: number[];
            /** @description Days that a delivery may be held without a single attempt before it is dead; pauses do not count. */
            maxHeldDays?: number;
        };
        ReasonDto: {
            /** @example the consumer asked for it, ticket 4711 */
            reason: string;
        };
        SendingDto: {
            /** @enum {string} */
            state: "active" | "paused";
            /** Format: date-time */
            pausedAt: string | null;
        };
        ProblemDto: {
            /** @example about:blank */
            type: string;
            /** @example Unprocessable Content */
            title: string;
            /** @example 422 */
            status: number;
            detail: string;
            /** Format: uuid */
            requestId: string;
            errors?: components["schemas"]["FieldFaultDto"][];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listApiKeys: {
        parameters: {
            query?: {
                offset?: number;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyListDto"];
                };
            };
            /** @description A parameter is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The API key is missing, unknown, expired or revoked, or the session has ended. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The API key’s roles do not allow this, or a session’s request came from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateApiKeyDto"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyCreatedDto"];
                };
            };
            /** @description The API key is missing, unknown, expired or revoked, or the session has ended. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The API key’s roles do not allow this, or a session’s request came from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The content breaks a rule; `errors` names every field. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
        };
    };
    revokeApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The API key is missing, unknown, expired or revoked, or the session has ended. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The API key’s roles do not allow this, or a session’s request came from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description There is no such key. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
        };
    };
    me: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MeDto"];
                };
            };
            /** @description The API key is missing, unknown, expired or revoked, or the session has ended. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The API key’s roles do not allow this, or a session’s request came from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
        };
    };
    signIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignInDto"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MeDto"];
                };
            };
            /** @description The API key is unknown, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Sent by another site’s page, or over plain http. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The content breaks a rule; `errors` names every field. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
        };
    };
    signOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The API key is missing, unknown, expired or revoked, or the session has ended. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The API key’s roles do not allow this, or a session’s request came from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
        };
    };
    readStatus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatusDto"];
                };
            };
            /** @description The API key is missing, unknown, expired or revoked, or the session has ended. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The API key’s roles do not allow this, or a session’s request came from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
        };
    };
    listEvents: {
        parameters: {
            query?: {
                offset?: number;
                limit?: number;
                eventType?: "ach.status" | "wire.status";
                /** @description ACH `transactionId` or wire `paymentId`. */
                paymentId?: string;
                status?: string;
                traceNumber?: string;
                imad?: string;
                /** @description `true`: only events that concern no consumer. */
                unrouted?: true | false;
                /** @description Accepted at or after. */
                from?: string;
                /** @description Accepted before. */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventListDto"];
                };
            };
            /** @description A parameter is wrong; `errors` names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The API key is missing, unknown, expired or revoked, or the session has ended. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The API key’s roles do not allow this, or a session’s request came from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
        };
    };
    postEvent: {
        parameters: {
            query?: never;
            header: {
                "idempotency-key": string;
                /** @description Names the request within this producer, for 7 days. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StatusChangeDto"];
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AcceptedDto"];
                };
            };
            /** @description The body is no JSON, or the Idempotency-Key is malformed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The API key is missing, unknown, expired or revoked, or the session has ended. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The API key’s roles do not allow this, or a session’s request came from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The Idempotency-Key was used with other content. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is larger than 256 KiB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The content breaks the contract; `errors` names every field. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description PostgreSQL is away or too much changes at once; nothing is half-done. Send the same request again after `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
        };
    };
    postEventBatch: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BatchDto"];
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchResultDto"];
                };
            };
            /** @description The body is no JSON. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The API key is missing, unknown, expired or revoked, or the session has ended. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The API key’s roles do not allow this, or a session’s request came from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is larger than 5 MiB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description `events` is not an array of 1 to 500. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description PostgreSQL is away or too much changes at once; nothing is half-done. Send the same request again after `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
        };
    };
    readEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                notificationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventDetailDto"];
                };
            };
            /** @description The API key is missing, unknown, expired or revoked, or the session has ended. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The API key’s roles do not allow this, or a session’s request came from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description There is no such event, or it is another producer’s. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                offset?: number;
                limit?: number;
                state?: "queued" | "sending" | "held" | "delivered" | "dead" | "cancelled";
                consumerId?: string;
                eventType?: "ach.status" | "wire.status";
                paymentId?: string;
                notificationId?: string;
                /** @description Of the last attempt. */
                outcome?: "acknowledged" | "http_status" | "redirect" | "timeout" | "dns" | "connect" | "tls" | "reset" | "blocked_address" | "invalid_response";
                /** @description Of the last attempt. */
                httpStatus?: number;
                holdReason?: "paused" | "circuit" | "concurrency" | "order" | "secret";
                /** @description Made at or after. */
                from?: string;
                /** @description Made before. */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryListDto"];
                };
            };
            /** @description A parameter is wrong; `errors` names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The API key is missing, unknown, expired or revoked, or the session has ended. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The API key’s roles do not allow this, or a session’s request came from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
        };
    };
    readDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryDetailDto"];
                };
            };
            /** @description The API key is missing, unknown, expired or revoked, or the session has ended. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The API key’s roles do not allow this, or a session’s request came from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description There is no such delivery. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
        };
    };
    listConsumers: {
        parameters: {
            query?: {
                offset?: number;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConsumerListDto"];
                };
            };
            /** @description A parameter is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The API key is missing, unknown, expired or revoked, or the session has ended. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The API key’s roles do not allow this, or a session’s request came from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
        };
    };
    registerConsumer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RegisterConsumerDto"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConsumerCreatedDto"];
                };
            };
            /** @description The API key is missing, unknown, expired or revoked, or the session has ended. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The API key’s roles do not allow this, or a session’s request came from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Another consumer has this externalId. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The content breaks a rule; `errors` names every field. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
        };
    };
    readConsumer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConsumerDto"];
                };
            };
            /** @description The API key is missing, unknown, expired or revoked, or the session has ended. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The API key’s roles do not allow this, or a session’s request came from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description There is no such consumer. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
        };
    };
    removeConsumer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The API key is missing, unknown, expired or revoked, or the session has ended. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The API key’s roles do not allow this, or a session’s request came from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description There is no such consumer. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
        };
    };
    changeConsumer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateConsumerDto"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConsumerDto"];
                };
            };
            /** @description The API key is missing, unknown, expired or revoked, or the session has ended. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The API key’s roles do not allow this, or a session’s request came from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description There is no such consumer. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Another consumer has this externalId. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The content breaks a rule; `errors` names every field. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
        };
    };
    pauseConsumer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReasonDto"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConsumerDto"];
                };
            };
            /** @description The API key is missing, unknown, expired or revoked, or the session has ended. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The API key’s roles do not allow this, or a session’s request came from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description There is no such consumer. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The content breaks a rule; `errors` names every field. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
        };
    };
    resumeConsumer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReasonDto"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConsumerDto"];
                };
            };
            /** @description The API key is missing, unknown, expired or revoked, or the session has ended. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The API key’s roles do not allow this, or a session’s request came from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description There is no such consumer. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The content breaks a rule; `errors` names every field. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
        };
    };
    pauseSending: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReasonDto"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendingDto"];
                };
            };
            /** @description The API key is missing, unknown, expired or revoked, or the session has ended. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The API key’s roles do not allow this, or a session’s request came from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The content breaks a rule; `errors` names every field. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
        };
    };
    resumeSending: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReasonDto"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendingDto"];
                };
            };
            /** @description The API key is missing, unknown, expired or revoked, or the session has ended. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The API key’s roles do not allow this, or a session’s request came from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The content breaks a rule; `errors` names every field. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
        };
    };
}

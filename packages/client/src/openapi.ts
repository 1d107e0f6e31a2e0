/** Generated from the OpenAPI document by `npm run client`. Not to be edited. */

export interface paths {
    "/v1/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the API keys, newest first; sessions of sign-in links are listed with the links of their consumer */
        get: operations["listApiKeys"];
        put?: never;
        /** Create an API key; only this response contains it */
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
        /** Revoke an API key; every process refuses it within 2 s */
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
        /** Read the caller’s own identity and roles */
        get: operations["me"];
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
         * @description A producer sees only its own events. With fixed `from` and `to`, the list is stable: paging misses no event.
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
        /** Announce up to 500 status changes, accepted in their order; each one is accepted or rejected separately */
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
    "/v1/events/{notificationId}/envelope": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Read an event’s envelope with account numbers in full; the audit log records the caller */
        post: operations["readEnvelope"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/{notificationId}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an accepted event to more consumers
         * @description Each consumer must have the event type, and either all payments or a party among the payment’s companies; a consumer without parties must have earlier events of the payment. Only an unrouted event whose payment names no company can be sent to any consumer of its type; the `reason` then justifies the choice.
         */
        post: operations["sendEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/unrouted/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send unrouted events to the consumers that match them today
         * @description For consumers that were registered, or got a company id, after the event was accepted. Each event is routed like a new one, the oldest first. An event that matches no consumer stays unrouted, and one that has a delivery already is left alone. With `dryRun` nothing is sent, and the response has the consumers that match.
         */
        post: operations["sendUnrouted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/unrouted/seen": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark unrouted events as seen
         * @description The overview then counts newer ones only. The list of unrouted events keeps all of them.
         */
        post: operations["markUnroutedSeen"];
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
    "/v1/deliveries/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a delivery due now
         * @description A dead or cancelled delivery becomes pending again, with a full retry schedule. A pause or an open circuit of its consumer, or an earlier status of its payment, still holds it; `holdReason` shows which. The notification id stays the same. What the bank has cancelled, a consumer’s own people cannot send again.
         */
        post: operations["retryDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/deliveries/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Finish a delivery without sending it
         * @description A later status that waited for it is released. An attempt in flight is recorded; if it is acknowledged, the delivery becomes delivered. So does a delivery that had been delivered before it was sent again. A dead delivery is no longer listed as dead; a cancelled one does not change.
         */
        post: operations["cancelDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/bulk-actions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the bulk actions, newest first */
        get: operations["listBulkActions"];
        put?: never;
        /**
         * Retry, replay, cancel or settle every delivery that a filter matches
         * @description Runs in the workers and survives their crashes. Deliveries created later are not covered. With `dryRun` nothing is changed, and the response has the number of deliveries that would be covered. With `expectedCount` nothing is started if more deliveries match; it is started if fewer match.
         */
        post: operations["startBulkAction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/bulk-actions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a bulk action and its progress */
        get: operations["readBulkAction"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/bulk-actions/{id}/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop a bulk action
         * @description Changes already made are not undone. Stopping a stopped bulk action changes nothing.
         */
        post: operations["stopBulkAction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/channels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the channels by name */
        get: operations["listChannels"];
        put?: never;
        /**
         * Create a channel
         * @description From now on it receives a message when an issue that its filter selects is opened, acknowledged or resolved. Messages that cannot be sent are repeated for 24 hours. The answer of a webhook has its signing secret, only once.
         */
        post: operations["createChannel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/channels/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a channel */
        get: operations["readChannel"];
        put?: never;
        post?: never;
        /**
         * Remove a channel
         * @description Its secrets are erased, and messages that wait are not sent.
         */
        delete: operations["removeChannel"];
        options?: never;
        head?: never;
        /**
         * Change a channel
         * @description Absent fields stay as they are. Messages that wait are sent to the new destination.
         */
        patch: operations["changeChannel"];
        trace?: never;
    };
    "/v1/channels/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test message to a channel now
         * @description Marked as a test, also to a disabled channel and at any hour. The answer says whether it was accepted.
         */
        post: operations["testChannel"];
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
         * @description Cancels its pending deliveries; nothing more is sent to it.
         */
        delete: operations["removeConsumer"];
        options?: never;
        head?: never;
        /**
         * Change a consumer
         * @description A changed URL is used from the next attempt on; each attempt records its URL.
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
         * Pause a consumer
         * @description Nothing is sent to it until `until`, or until a person resumes it. Its deliveries are held and none is lost: paused time does not count. Requests under way are finished.
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
         * Resume a consumer, or probe one that is down
         * @description Ends its pause. If its circuit is open, one probe is sent at once, and the rest after it is acknowledged; otherwise the waiting deliveries are sent in order, within the consumer’s limits.
         */
        post: operations["resumeConsumer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/consumers/{id}/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List a consumer’s keys, newest first */
        get: operations["listConsumerKeys"];
        put?: never;
        /**
         * Create a key for a consumer; only this response shows it
         * @description The key can read the consumer’s own notifications and nothing else, until the consumer is removed.
         */
        post: operations["createConsumerKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/consumers/{id}/keys/{keyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke a consumer’s key; every process refuses it within 2 s */
        delete: operations["revokeConsumerKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/consumers/{id}/credentials": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the versions of the credentials, without their values */
        get: operations["listCredentials"];
        put?: never;
        /**
         * Add a version of the credentials
         * @description From `activateAt` on, every attempt of every worker uses it. Absent parts are carried over from the version in force. Only one version can be coming at a time.
         */
        post: operations["addCredentials"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/consumers/{id}/credentials/{version}/activate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Activate a coming or former version now
         * @description A coming version becomes current before its time, or a former version becomes current again. Activating the current version changes nothing.
         */
        post: operations["activateCredentials"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/consumers/{id}/credentials/{version}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Drop a coming version */
        delete: operations["dropCredentials"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/consumers/{id}/explain-signature": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Explain a signature
         * @description For an attempt of a delivery, or with an empty body for the request that was sent last: the exact string that is signed, its parts and the signature. For a pasted body, timestamp and signature of the consumer: whether the signature matches, and if not, which variation of URL, timestamp, body, order of the parts or secret it results from, at most two combined. The response never contains the secret, nor a signature of a text that is not a notification of this consumer. The audit log records the caller, the URL, a digest of the body and the finding.
         */
        post: operations["explainSignature"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/consumers/{id}/sign-in-links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List a consumer’s sign-in links, newest first */
        get: operations["listSignInLinks"];
        put?: never;
        /**
         * Create a one-time sign-in link for a person of the consumer
         * @description Only this response shows the link. Its first use begins a session of 12 hours in the consumer’s portal. Send it over a channel on which you know the person.
         */
        post: operations["createSignInLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/consumers/{id}/sign-in-links/{linkId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke a sign-in link; a session that it began ends within 2 s */
        delete: operations["revokeSignInLink"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/url-requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the requested changes of consumers’ URLs, newest first */
        get: operations["listUrlRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/url-requests/{id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve a requested URL: it is used from the next attempt on
         * @description Account numbers are sent to this URL. Confirm the request with the consumer’s contact over another channel first.
         */
        post: operations["approveUrlRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/url-requests/{id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Reject a requested URL; the consumer’s people see the reason */
        post: operations["rejectUrlRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/consumers/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test delivery now
         * @description Sends a marked sample, whose ids begin with `TEST-`, signed like every notification. It is not a delivery: it is not stored, retried or held, and a paused consumer gets it too. Returns the consumer’s response. A consumer’s own people send one at a time, and at most 6 in a minute.
         */
        post: operations["testConsumer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/consumers/{id}/failures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Recent failures by cause, with advice
         * @description Evaluates the newest failed attempts of the period, at most 5,000. For `oncall`, the advice on a refusal begins with a quotation of the consumer’s response.
         */
        get: operations["listFailures"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/issues": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List health issues: unresolved ones first, by severity and age; then the newest
         * @description An issue is opened within about 15 s of its condition, and resolved automatically when the condition ends. `down` is opened when three probes have failed, and `degraded` when it has lasted for 10 minutes: retries correct shorter ones. `down`, `degraded` and `falling_behind` are resolved after 10 minutes without their condition, so that each is announced once.
         */
        get: operations["listIssues"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/issues/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a health issue with the messages about it */
        get: operations["readIssue"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/issues/{id}/acknowledge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Acknowledge a health issue: the caller takes care of it
         * @description A second acknowledgement replaces the name and the note of the first.
         */
        post: operations["acknowledgeIssue"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/issues/{id}/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resolve a health issue
         * @description While its condition lasts it is not opened again; after the condition has ended once, a new issue is opened.
         */
        post: operations["resolveIssue"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/portal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the caller’s own consumer and its state */
        get: operations["readPortal"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/portal/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the own API keys and the sessions of sign-in links, newest first */
        get: operations["listPortalKeys"];
        put?: never;
        /** Create an own API key; only this response shows it */
        post: operations["createPortalKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/portal/keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke an own API key; every process refuses it within 2 s */
        delete: operations["revokePortalKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/portal/url-requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the requested changes of the own URL, newest first */
        get: operations["listPortalUrlRequests"];
        put?: never;
        /**
         * Request a change of the own URL
         * @description The bank approves or rejects it. Until then the present URL is used. One request can wait.
         */
        post: operations["makePortalUrlRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/portal/url-requests/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Withdraw a waiting request */
        delete: operations["withdrawPortalUrlRequest"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/portal/alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read which alerts the own people get, and where */
        get: operations["readPortalAlerts"];
        /**
         * Choose which alerts the own people get, and where
         * @description Nobody gets any until then. Alerts have instants and numbers, and no payments. A mail address or webhook gets at most one alert of a kind in 10 minutes and 10 in an hour; the next one counts those above. A webhook is signed like a notification. Alerts that it does not accept are sent again for 24 hours.
         */
        put: operations["choosePortalAlerts"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/portal/alerts/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test message by the chosen ways now
         * @description To the saved mail addresses and webhook, also when no alert is chosen; at most 10 in an hour. The answer says whether each was accepted. The webhook gets `kind` and `event` as `test`, and an `alertId` that begins with `TEST-`.
         */
        post: operations["testPortalAlerts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/portal/replays": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the own replays, newest first */
        get: operations["listPortalReplays"];
        put?: never;
        /**
         * Send the own deliveries of a period again
         * @description Each with the same notification id and a full retry schedule. Deliveries created later are not covered. With `dryRun` nothing is changed, and the response has the number of deliveries. One replay can run at a time.
         */
        post: operations["startPortalReplay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/portal/replays/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read an own replay and its progress */
        get: operations["readPortalReplay"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/portal/replays/{id}/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop an own replay
         * @description What is due already is sent. Stopping a stopped replay changes nothing.
         */
        post: operations["stopPortalReplay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the audit log, newest first; with `after` as a stream, oldest first
         * @description Admins can read all entries, viewers those of one consumer: `target=consumer:<id>`. `Accept: application/x-ndjson` returns one entry per line, `text/csv` one per record (RFC 4180; a `'` is put before texts that begin like a formula). Both return all matching entries (maximum 100,000) or `limit` entries. To follow the log, start with `after=0`, then repeat with the last id. An entry is listed when no earlier one can still be written, so no entry is missed or returned twice.
         */
        get: operations["listAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/notifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the notifications meant for the caller, oldest first
         * @description Delivered or not, as far back as 90 days. New ones come at the end: a client that pages inside a fixed `from` and `to`, or goes on from where the last page ended, misses none and gets none twice. The list is written while it is read: if the connection breaks off before its end, ask for the page again.
         */
        get: operations["listNotifications"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List payments, the one with the newest status first; a live view
         * @description A producer sees its own statuses only, also where others use the same id. A payment moves to the front with each status.
         */
        get: operations["listPayments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payments/{kind}/{paymentId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a payment: its statuses in order, and where each was delivered */
        get: operations["readPayment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sending/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pause sending to all consumers
         * @description Accepting goes on, and nothing is lost.
         */
        post: operations["pauseSending"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sending/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume sending
         * @description Consumers that are paused themselves stay paused.
         */
        post: operations["resumeSending"];
        delete?: never;
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
         * @description Answers a session even while both are down. The fault and the advice need the role viewer.
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
    "/v1/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read figures, backlog, consumers that need attention, workers */
        get: operations["readOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reports/consumers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Report: what each consumer was sent in a time, a row per consumer, with totals
         * @description Counts the deliveries that were accepted from `from` until before `to`, 31 days at most, by their state now. Times count first deliveries only: what a person replayed, or what a pause of sending held, is neither late nor in the percentiles, and is counted as `replayedOrPaused`. Up to about 1,500,000 deliveries every figure is exact (`source: deliveries`). Above that they come from the statistics of each minute (`source: statistics`): `delivered` and `dead` count what was delivered or died in the time; `late` and the percentiles include replays and pauses; `late` counts from the next bound of the histogram (1, 1.5, 2, 3, 5, 7, 10 … ms); percentiles are rounded up to such a bound; a process that was killed may have lost a few seconds; `cancelled` is exact. Downtime is the time for which the circuit was open, from the audit log. With `Accept: text/csv` the rows come as CSV (RFC 4180), without totals; a name that begins like a formula has a `'` before it.
         */
        get: operations["reportConsumers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search by id: payments, events, deliveries, consumers and bulk actions
         * @description Matches all ids (delivery, notification, payment, consumer, bulk action, `externalId`), trace numbers and IMADs exactly, and the beginning of consumers’ names, case-insensitive. All events of one payment are one hit. A producer finds only its own payments and events.
         */
        get: operations["search"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read counts and latencies over time, for all consumers or one consumer */
        get: operations["readStats"];
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
         * @description Sets a cookie for 12 hours. The session also ends when its key is revoked or expires.
         */
        post: operations["signIn"];
        /** Sign out: removes the session cookie from the browser */
        delete: operations["signOut"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/session/link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in: exchange a sign-in link for a session of the consumer’s portal
         * @description The link can be used once. Sets a cookie for 12 hours. The session also ends when the link is revoked or its consumer removed.
         */
        post: operations["signInByLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/session/openid": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read what the console shows without a session: OpenID Connect, the environment and the brand */
        get: operations["readOpenIdOffer"];
        put?: never;
        /**
         * Start a sign-in by OpenID Connect
         * @description Sets a cookie for ten minutes that binds the provider’s answer to this browser.
         */
        post: operations["beginOpenIdSignIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/session/openid/answer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in: exchange the provider’s answer for a session
         * @description Sets a cookie for one hour. The person gets the strongest role to which the provider’s claim is mapped.
         */
        post: operations["finishOpenIdSignIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/schemas/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the JSON Schema of a notification
         * @description By the type of the event, as a file (draft 2020-12) with an example. No key is needed.
         */
        get: operations["readSchema"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "ach.status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * What a consumer receives when an ACH payment changes its status
         * @description Sent to the URL of each consumer that subscribes to `ach.status`, at least once. Process a `notificationId` only once, and answer 2xx to one that you know. Also answer 2xx to an event type that you do not know. The schema as a file: `GET /v1/schemas/ach.status`.
         */
        post: operations["receiveAchNotification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "wire.status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * What a consumer receives when a wire changes its status
         * @description Sent to the URL of each consumer that subscribes to `wire.status`, at least once. Process a `notificationId` only once, and answer 2xx to one that you know. Also answer 2xx to an event type that you do not know. The schema as a file: `GET /v1/schemas/wire.status`.
         */
        post: operations["receiveWireNotification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        CreateApiKeyDto: {
            /**
             * @description The caller's identity. During a key rotation, the old and the new key of a producer have the same name.
             * @example payments-hub
             */
            name: string;
            roles: ("producer" | "viewer" | "oncall" | "operator" | "admin")[];
            /** @description Absent: it does not expire. */
            expiresAt?: string;
        };
        ApiKeyCreatedDto: {
            /**
             * @description The key itself. Only this response contains it.
             * @example pnd_…
             */
            key: string;
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
             * Format: date-time
             * @description Last use, accurate to the minute; null: never used.
             */
            lastUsedAt: string | null;
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
            /**
             * Format: date-time
             * @description Last use, accurate to the minute; null: never used.
             */
            lastUsedAt: string | null;
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
        EnvironmentDto: {
            /** @example production */
            name: string;
            /** @enum {string} */
            color: "red" | "orange" | "yellow" | "green" | "blue" | "grape" | "gray";
        };
        MeDto: {
            /**
             * @description The name of the API key or person, as in the audit log.
             * @example payments-hub
             */
            name: string;
            /** @description Display name of a person who signed in by OpenID Connect; null for an API key. */
            person: string | null;
            /** @description The roles granted to the key or person. */
            roles: ("producer" | "viewer" | "oncall" | "operator" | "consumer" | "admin")[];
            /** @description The granted roles and all roles that they include. A route is allowed if it names one of these. */
            may: ("producer" | "viewer" | "oncall" | "operator" | "consumer" | "admin")[];
            /**
             * Format: uuid
             * @description The consumer to which a key with the role `consumer` is bound; otherwise null.
             */
            consumerId: string | null;
            /** @description Name of that consumer; otherwise null. */
            consumerName: string | null;
            /** @description Name and color of this installation, for the badge on every screen; null: not configured. */
            environment: components["schemas"]["EnvironmentDto"] | null;
            /**
             * @description The version of the dispatcher that answered.
             * @example 1.0.0
             */
            version: string;
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
             * @description The new status of the payment.
             * @example PROCESSED
             * @enum {string}
             */
            status: "INITIATED" | "PROCESSED" | "NOTICE_OF_CHANGE" | "RETURN";
            /**
             * @description Direction of the payment.
             * @example CREDIT
             * @enum {string}
             */
            transactionType: "CREDIT" | "DEBIT";
            /**
             * @description Standard Entry Class code. One that Nacha does not list is accepted and counted.
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
             * @description Reference of the wire. Absent: `Not Provided` is filled in.
             * @default Not Provided
             * @example Not Provided
             */
            referenceId: string | "Not Provided";
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
             * @description D (Deposit) or S (Savings). Absent: D is filled in.
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
             * @description Wire company identifier of the originator. Routes the event to consumers.
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
             * @description Street, number and any other lines above the city.
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
             * @description D (Deposit) or S (Savings). Absent: D is filled in.
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
             * @description One of Review, Send Ready, Reject, Error, Exception, Complete, or another that the bank uses.
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
        StatusChangeDto: components["schemas"]["AchStatusChangeDto"] | components["schemas"]["WireStatusChangeDto"];
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
             * @description In UTC, as consumers receive it.
             */
            eventDateTime: string;
            /** @description True: the same request was accepted before, and nothing was created. */
            duplicate: boolean;
            /** @description One delivery for each recipient. Empty: the event has no recipient and is stored as unrouted. */
            deliveries: components["schemas"]["AddressedDto"][];
        };
        BatchItemDto: components["schemas"]["AchBatchItemDto"] | components["schemas"]["WireBatchItemDto"];
        BatchDto: {
            /** @description The items, accepted in this order. */
            events: components["schemas"]["BatchItemDto"][];
        };
        FieldFaultDto: {
            /**
             * @description Path of the field, e.g. `data.achEventInfo.amount`.
             * @example data.achEventInfo.amount
             */
            field: string;
            /** @example must be digits, a point and digits */
            message: string;
        };
        BatchItemResultDto: {
            /** @description Index in the request's array, from 0. */
            index: number;
            /**
             * @description `accepted`: committed. `rejected`: nothing of it is stored.
             * @enum {string}
             */
            status: "accepted" | "rejected";
            /**
             * Format: uuid
             * @description Only of an accepted item.
             */
            notificationId?: string;
            /** @description Only of an accepted item. */
            duplicate?: boolean;
            /** @description Only of a rejected item: all faults. */
            errors?: components["schemas"]["FieldFaultDto"][];
        };
        BatchResultDto: {
            /** @description One result for each item, in the order of the request. */
            results: components["schemas"]["BatchItemResultDto"][];
        };
        RecipientDto: {
            /** Format: uuid */
            consumerId: string;
            consumerName: string;
            /** @enum {string} */
            state: "waiting" | "delivered" | "dead" | "settled" | "cancelled";
            /**
             * Format: date-time
             * @description When the delivery was finished; null while it is waiting.
             */
            at: string | null;
        };
        RecipientsDto: {
            total: number;
            delivered: number;
            /** @description Scheduled, sending or held. */
            waiting: number;
            /** @description Given up, and not settled. */
            dead: number;
            /** @description Given up, and settled by a person. */
            settled: number;
            cancelled: number;
            /** @description At most three recipients, the worst state first. */
            named: components["schemas"]["RecipientDto"][];
        };
        EventDto: {
            /** @enum {string} */
            eventType: "ach.status" | "wire.status";
            /** @description ACH `transactionId` or wire `paymentId`. */
            paymentId: string | null;
            /** @description Whether it matched no consumer at acceptance, and no operator has sent it to one since. */
            unrouted: boolean;
            /** @description Summary of the deliveries by consumer. */
            recipients: components["schemas"]["RecipientsDto"];
            /** Format: uuid */
            notificationId: string;
            /**
             * Format: date-time
             * @description When the status change happened, according to the producer.
             */
            eventDateTime: string;
            /**
             * Format: date-time
             * @description When the dispatcher accepted the event.
             */
            acceptedAt: string;
            /** @description The name of the API key that posted it. */
            producer: string;
            status: string | null;
            traceNumber: string | null;
            imad: string | null;
        };
        EventListDto: {
            events: components["schemas"]["EventDto"][];
            pagination: components["schemas"]["PaginationDto"];
        };
        SettlementDto: {
            /** Format: date-time */
            at: string;
            /** @description Name of the API key or person that settled it; null for the consumer's own people. */
            by: string | null;
            /** @description Null for the consumer's own people. */
            reason: string | null;
        };
        DeliveryDto: {
            /** Format: uuid */
            deliveryId: string;
            /** Format: uuid */
            notificationId: string;
            /** Format: uuid */
            consumerId: string;
            /** @description The consumer's current name; a removed consumer keeps its last name. */
            consumerName: string;
            /** @enum {string} */
            eventType: "ach.status" | "wire.status";
            paymentId: string | null;
            /** @description The payment's status that the notification reports. */
            status: string | null;
            /**
             * @description The states of a pending delivery (`queued`, `sending`, `held`) are derived on each request; `sending` is based on the workers' heartbeats, sent every 2 s.
             * @enum {string}
             */
            state: "queued" | "sending" | "held" | "delivered" | "dead" | "cancelled";
            /**
             * @description Why it is held; null unless `state` is `held`.
             * @enum {string|null}
             */
            holdReason: "paused" | "circuit" | "concurrency" | "order" | "secret" | "record" | null;
            /**
             * Format: date-time
             * @description Since when `holdReason` applies; null unless `state` is `held`.
             */
            heldSince: string | null;
            /** @description Number of attempts recorded so far, including probes. */
            attemptCount: number;
            /**
             * Format: date-time
             * @description When it is due; null unless `state` is `queued`.
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
             * @description Why it ended; null while it is pending. `pending_too_long`: a delivery ends `dead` 14 days after acceptance at the latest (paused time and internal errors do not count).
             * @enum {string|null}
             */
            endReason: "acknowledged" | "schedule_used_up" | "pending_too_long" | "consumer_removed" | "cancelled_manually" | null;
            /** @description How a person settled the dead delivery; null if not settled. Retry, replay and cancellation reset it. */
            settlement: components["schemas"]["SettlementDto"] | null;
        };
        EventDetailDto: {
            /** @enum {string} */
            eventType: "ach.status" | "wire.status";
            /** @description ACH `transactionId` or wire `paymentId`. */
            paymentId: string | null;
            /** @description Whether it matched no consumer at acceptance, and no operator has sent it to one since. */
            unrouted: boolean;
            /** @description Summary of the deliveries by consumer. */
            recipients: components["schemas"]["RecipientsDto"];
            /** Format: uuid */
            notificationId: string;
            /**
             * Format: date-time
             * @description When the status change happened, according to the producer.
             */
            eventDateTime: string;
            /**
             * Format: date-time
             * @description When the dispatcher accepted the event.
             */
            acceptedAt: string;
            /** @description The name of the API key that posted it. */
            producer: string;
            status: string | null;
            traceNumber: string | null;
            imad: string | null;
            /** @description The envelope as sent; if `masked` is true, account numbers are cut to their last four characters. */
            envelope: {
                [key: string]: unknown;
            };
            /** @description False for the event's producer; others read it in full with `POST /v1/events/{notificationId}/envelope`. */
            masked: boolean;
            deliveries: components["schemas"]["DeliveryDto"][];
        };
        OptionalReasonDto: {
            /** @example the consumer asked for it, ticket 4711 */
            reason?: string;
        };
        EnvelopeDto: {
            envelope: {
                [key: string]: unknown;
            };
        };
        SendEventDto: {
            /** @example the consumer asked for it, ticket 4711 */
            reason: string;
            /** @description Ids or `externalId`s of consumers that have the event type and no delivery of this event yet. */
            consumers: string[];
        };
        EventSentDto: {
            deliveries: components["schemas"]["DeliveryDto"][];
        };
        SendUnroutedDto: {
            /** @example the consumer asked for it, ticket 4711 */
            reason: string;
            notificationIds: string[];
            /** @description Only counts the events and their consumers; nothing is sent. */
            dryRun?: boolean;
        };
        UnroutedConsumerDto: {
            /** Format: uuid */
            consumerId: string;
            /** @description Number of the events. */
            events: number;
        };
        UnroutedSentDto: {
            sent: number;
            /** @description No consumer matches them, or they have a delivery already. */
            notSent: number;
            consumers: components["schemas"]["UnroutedConsumerDto"][];
        };
        UnroutedSeenDto: {
            /** @description Unrouted events accepted before this instant are marked as seen: `unrouted.until` of `GET /v1/overview`. */
            until: string;
        };
        DeliveryListDto: {
            deliveries: components["schemas"]["DeliveryDto"][];
            pagination: components["schemas"]["PaginationDto"];
        };
        AttemptDto: {
            number: number;
            /** @description True for viewers: headers and body of the response are withheld, since they may repeat account numbers. */
            responseWithheld: boolean;
            /** @description Sent to check whether a consumer with an open circuit answers again. A probe uses no attempt of the schedule. */
            probe: boolean;
            /** Format: date-time */
            startedAt: string;
            durationMs: number;
            /** @enum {string} */
            outcome: "acknowledged" | "http_status" | "redirect" | "timeout" | "dns" | "connect" | "tls" | "reset" | "blocked_address" | "invalid_response";
            httpStatus: number | null;
            /** @description The outcome in words; null for the consumer's own people. */
            detail: string | null;
            /** @description Recommended next step, in plain words: for operators, or for the consumer's own people. */
            advice: string;
            /** @description The URL as requested and signed. */
            url: string;
            /** @description The address that the request was written to; with `EGRESS_PROXY`, the proxy's. Null when nothing was sent, and for the consumer's own people. */
            remoteAddress: string | null;
            credentialVersion: number;
            /** @description Secrets redacted. */
            requestHeaders: {
                [key: string]: string;
            };
            /** @description Null without a response, or if withheld. */
            responseHeaders: {
                [key: string]: string;
            } | null;
            /** @description The first 4 KiB. Null without a readable body, or if withheld. */
            responseBody: string | null;
            /** @description Whether the consumer sent more than `responseBody` shows. */
            responseTruncated: boolean;
            /** @description Consumer's clock minus the dispatcher's, if more than a minute: the likeliest cause of refused signatures. */
            clockSkewMs: number | null;
        };
        DeliveryDetailDto: {
            /** Format: uuid */
            deliveryId: string;
            /** Format: uuid */
            notificationId: string;
            /** Format: uuid */
            consumerId: string;
            /** @description The consumer's current name; a removed consumer keeps its last name. */
            consumerName: string;
            /** @enum {string} */
            eventType: "ach.status" | "wire.status";
            paymentId: string | null;
            /** @description The payment's status that the notification reports. */
            status: string | null;
            /**
             * @description The states of a pending delivery (`queued`, `sending`, `held`) are derived on each request; `sending` is based on the workers' heartbeats, sent every 2 s.
             * @enum {string}
             */
            state: "queued" | "sending" | "held" | "delivered" | "dead" | "cancelled";
            /**
             * @description Why it is held; null unless `state` is `held`.
             * @enum {string|null}
             */
            holdReason: "paused" | "circuit" | "concurrency" | "order" | "secret" | "record" | null;
            /**
             * Format: date-time
             * @description Since when `holdReason` applies; null unless `state` is `held`.
             */
            heldSince: string | null;
            /** @description Number of attempts recorded so far, including probes. */
            attemptCount: number;
            /**
             * Format: date-time
             * @description When it is due; null unless `state` is `queued`.
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
             * @description Why it ended; null while it is pending. `pending_too_long`: a delivery ends `dead` 14 days after acceptance at the latest (paused time and internal errors do not count).
             * @enum {string|null}
             */
            endReason: "acknowledged" | "schedule_used_up" | "pending_too_long" | "consumer_removed" | "cancelled_manually" | null;
            /** @description How a person settled the dead delivery; null if not settled. Retry, replay and cancellation reset it. */
            settlement: components["schemas"]["SettlementDto"] | null;
            /** @description Only for the consumer's own people: the notification with account numbers in full. Null once it is no longer kept. The bank's people read it with its event. */
            envelope?: {
                [key: string]: unknown;
            } | null;
            /** @description Every attempt, the earliest first. */
            attempts: components["schemas"]["AttemptDto"][];
        };
        RetryDeliveryDto: {
            /** @example the consumer asked for it, ticket 4711 */
            reason?: string;
            /** @description Also retries a delivery that the consumer has already acknowledged. */
            force?: boolean;
        };
        BulkFilterDto: {
            /** @enum {string} */
            state?: "queued" | "sending" | "held" | "delivered" | "dead" | "cancelled";
            /** @description `false`: still open, which means pending, or dead and not settled. Cancelled or settled deliveries are included only if `state` or `settled` requests them. */
            delivered?: boolean;
            /**
             * @description Only what was not delivered, whatever the reason: waiting, dead, settled or cancelled.
             * @enum {boolean}
             */
            missed?: true;
            /**
             * @description Without what is cancelled or settled: delivered or still open deliveries.
             * @enum {boolean}
             */
            openOrDelivered?: true;
            /**
             * @description Only what waits: scheduled, being sent or held.
             * @enum {boolean}
             */
            waiting?: true;
            /** @description Dead deliveries only: settled by a person (`true`), or still open (`false`). */
            settled?: boolean;
            /** @description The payment's status that the notification reports, as the producer wrote it. */
            status?: string;
            /** Format: uuid */
            consumerId?: string;
            /** @enum {string} */
            eventType?: "ach.status" | "wire.status";
            paymentId?: string;
            /** Format: uuid */
            notificationId?: string;
            /**
             * @description Outcome of the last attempt.
             * @enum {string}
             */
            outcome?: "acknowledged" | "http_status" | "redirect" | "timeout" | "dns" | "connect" | "tls" | "reset" | "blocked_address" | "invalid_response";
            /** @description HTTP status of the last attempt. */
            httpStatus?: number;
            /** @enum {string} */
            holdReason?: "paused" | "circuit" | "concurrency" | "order" | "secret" | "record";
            /** @description Created at or after this instant. */
            from?: string;
            /** @description Created before this instant. */
            to?: string;
        };
        StartBulkActionDto: {
            /** @example the consumer asked for it, ticket 4711 */
            reason: string;
            /**
             * @description `retry`: pending and dead deliveries become due now, cancelled ones only with `state: cancelled`; existing holds still apply. `replay`: all deliveries, including delivered and cancelled ones, are sent again with a full retry schedule and the same notificationId. `cancel`: pending and dead deliveries are cancelled and not sent. `settle`: dead deliveries are marked as settled, with the reason. A person has dealt with them in another way, and they no longer count as open. Settled ones are covered only with `settled: true`, or by a `replay` without `state`.
             * @enum {string}
             */
            action: "retry" | "replay" | "cancel" | "settle";
            filter: components["schemas"]["BulkFilterDto"];
            /** @description Only counts the deliveries; `expectedCount` is then ignored. */
            dryRun?: boolean;
            /** @description Number of deliveries that the caller expects, as counted by `dryRun`. If more match, or they cannot be counted in time, the response is 409 with the new count in `matched`, and nothing is started. If fewer match, it is started. */
            expectedCount?: number;
        };
        BulkPreviewDto: {
            /** @enum {string} */
            action: "retry" | "replay" | "cancel" | "settle";
            /** @description Null: the deliveries could not be counted within five seconds. */
            matched: number | null;
        };
        BulkActionDto: {
            filter: components["schemas"]["BulkFilterDto"];
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            action: "retry" | "replay" | "cancel" | "settle";
            reason: string;
            /** @enum {string} */
            state: "running" | "finished" | "stopped" | "failed";
            /** @description Number of matching deliveries at the start; null: they could not be counted within five seconds. */
            matched: number | null;
            /** @description Number of deliveries processed so far: the sum of `changed` and `skipped`. */
            processed: number;
            changed: number;
            /** @description Due already or waiting for an earlier status (`retry`), consumer removed, event lost, or changed meanwhile. */
            skipped: number;
            /** @description Why the last step failed; null if it succeeded. After ten consecutive failed steps, `state` is `failed`. */
            lastFault: string | null;
            /** @description Name of the API key or person that started it. */
            createdBy: string;
            /**
             * Format: uuid
             * @description The consumer whose people started it in the portal; null: an operator did.
             */
            startedFor: string | null;
            /** @description Name of the API key or person that stopped it; null unless `state` is `stopped`. */
            stoppedBy: string | null;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it finished, was stopped or failed; null while it runs.
             */
            finishedAt: string | null;
        };
        BulkActionListDto: {
            bulkActions: components["schemas"]["BulkActionDto"][];
            pagination: components["schemas"]["PaginationDto"];
        };
        ReasonDto: {
            /** @example the consumer asked for it, ticket 4711 */
            reason: string;
        };
        ChannelHoursDto: {
            /**
             * @description IANA name.
             * @example America/New_York
             */
            timeZone: string;
            /**
             * @description 1 is Monday, 7 is Sunday. Hours over midnight belong to the day on which they begin.
             * @example [
             *       1,
             *       2,
             *       3,
             *       4,
             *       5
             *     ]
             */
            days: number[];
            /**
             * @description Inclusive.
             * @example 08:00
             */
            from: string;
            /**
             * @description Exclusive; if it is not after `from`, on the next day.
             * @example 18:00
             */
            to: string;
        };
        CreateChannelDto: {
            /**
             * Format: uri
             * @description Where messages are posted; of every kind but `email`. PagerDuty has a default; its EU region has another address.
             */
            url?: string;
            /**
             * @description PagerDuty: the integration key of a service.
             * @example 0123456789abcdef0123456789abcdef
             */
            routingKey?: string;
            /**
             * @description E-mail: the addresses.
             * @example [
             *       "payments-oncall@bank.example"
             *     ]
             */
            recipients?: string[];
            /** @description Only issues of these kinds; null: of all kinds. */
            issueKinds?: ("credentials_broken" | "down" | "paused_unplanned" | "degraded" | "falling_behind" | "dead_not_settled" | "certificate_expiring" | "api_key_expiring")[] | null;
            /** @description Only issues of these severities. When a channel is created without them: `pagerduty` only `page`, other kinds all. */
            severities?: ("page" | "ticket" | "info")[];
            /** @description Only issues of these consumers; null: of all consumers and of the installation. */
            consumerIds?: string[] | null;
            /** @description Null: at any hour. */
            hours?: components["schemas"]["ChannelHoursDto"] | null;
            /** @description A disabled channel receives nothing, also not what happened meanwhile. */
            enabled?: boolean;
            /** @example Payments on call */
            name: string;
            /**
             * @description Which fields a kind needs: `webhook`, `slack`, `teams`: `url`. `pagerduty`: `routingKey`. `email`: `recipients`.
             * @enum {string}
             */
            kind: "webhook" | "slack" | "teams" | "pagerduty" | "email";
        };
        ChannelCreatedDto: {
            /** @description Webhook: the secret of its signatures, shown in this answer only. */
            signingSecret?: string;
            /** Format: uuid */
            id: string;
            name: string;
            /** @enum {string} */
            kind: "webhook" | "slack" | "teams" | "pagerduty" | "email";
            /** @description The host of the URL; null for `email`. */
            host: string | null;
            /** @description The mail addresses; empty for other kinds. */
            recipients: string[];
            /** @description Null: issues of all kinds. */
            issueKinds: ("credentials_broken" | "down" | "paused_unplanned" | "degraded" | "falling_behind" | "dead_not_settled" | "certificate_expiring" | "api_key_expiring")[] | null;
            /** @description Only issues of these severities. */
            severities: ("page" | "ticket" | "info")[];
            /** @description Null: issues of all consumers and of the installation. */
            consumerIds: string[] | null;
            /** @description Null: at any hour. */
            hours: components["schemas"]["ChannelHoursDto"] | null;
            enabled: boolean;
            /** @description Messages that wait for the hours, or for the next attempt. */
            pending: number;
            /** @description Messages of the last 7 days that were given up after 24 hours of attempts. */
            failed: number;
            /** Format: date-time */
            lastSentAt: string | null;
            /** @description Why the newest message that was tried could not be sent; null if it was. */
            lastError: string | null;
            /** Format: date-time */
            createdAt: string;
        };
        ChannelDto: {
            /** Format: uuid */
            id: string;
            name: string;
            /** @enum {string} */
            kind: "webhook" | "slack" | "teams" | "pagerduty" | "email";
            /** @description The host of the URL; null for `email`. */
            host: string | null;
            /** @description The mail addresses; empty for other kinds. */
            recipients: string[];
            /** @description Null: issues of all kinds. */
            issueKinds: ("credentials_broken" | "down" | "paused_unplanned" | "degraded" | "falling_behind" | "dead_not_settled" | "certificate_expiring" | "api_key_expiring")[] | null;
            /** @description Only issues of these severities. */
            severities: ("page" | "ticket" | "info")[];
            /** @description Null: issues of all consumers and of the installation. */
            consumerIds: string[] | null;
            /** @description Null: at any hour. */
            hours: components["schemas"]["ChannelHoursDto"] | null;
            enabled: boolean;
            /** @description Messages that wait for the hours, or for the next attempt. */
            pending: number;
            /** @description Messages of the last 7 days that were given up after 24 hours of attempts. */
            failed: number;
            /** Format: date-time */
            lastSentAt: string | null;
            /** @description Why the newest message that was tried could not be sent; null if it was. */
            lastError: string | null;
            /** Format: date-time */
            createdAt: string;
        };
        ChannelListDto: {
            channels: components["schemas"]["ChannelDto"][];
            pagination: components["schemas"]["PaginationDto"];
        };
        ChangeChannelDto: {
            /**
             * Format: uri
             * @description Where messages are posted; of every kind but `email`. PagerDuty has a default; its EU region has another address.
             */
            url?: string;
            /**
             * @description PagerDuty: the integration key of a service.
             * @example 0123456789abcdef0123456789abcdef
             */
            routingKey?: string;
            /**
             * @description E-mail: the addresses.
             * @example [
             *       "payments-oncall@bank.example"
             *     ]
             */
            recipients?: string[];
            /** @description Only issues of these kinds; null: of all kinds. */
            issueKinds?: ("credentials_broken" | "down" | "paused_unplanned" | "degraded" | "falling_behind" | "dead_not_settled" | "certificate_expiring" | "api_key_expiring")[] | null;
            /** @description Only issues of these severities. When a channel is created without them: `pagerduty` only `page`, other kinds all. */
            severities?: ("page" | "ticket" | "info")[];
            /** @description Only issues of these consumers; null: of all consumers and of the installation. */
            consumerIds?: string[] | null;
            /** @description Null: at any hour. */
            hours?: components["schemas"]["ChannelHoursDto"] | null;
            /** @description A disabled channel receives nothing, also not what happened meanwhile. */
            enabled?: boolean;
            /** @example Payments on call */
            name?: string;
        };
        ChannelTestedDto: {
            isSent: boolean;
            /** @description Why it was not sent; null if it was. */
            fault: string | null;
        };
        CredentialsDto: {
            /**
             * @description No colon and no control characters (RFC 7617).
             * @example bank
             */
            username: string;
            /**
             * @description Encrypted at once; the API never returns it.
             * @example a long random text
             */
            password: string;
        };
        ClientCertificateDto: {
            /**
             * @description PEM: the dispatcher's own certificate first, then its issuers.
             * @example -----BEGIN CERTIFICATE-----
             *     …
             */
            certificate: string;
            /**
             * @description PEM without a passphrase. Encrypted at once; the API never returns it.
             * @example -----BEGIN PRIVATE KEY-----
             *     …
             */
            privateKey: string;
        };
        RegisterConsumerDto: {
            /** @example Acme Corporation */
            name: string;
            /**
             * @description The operator's own id of the consumer, unique among registered ones. Every `consumers` field accepts it.
             * @example acme
             */
            externalId?: string;
            /**
             * Format: uri
             * @description Where notifications are POSTed. Stored, shown, requested and signed in its canonical form. Refused: a user name or password, a fragment, a backslash, a tab or line break, a leading or trailing blank.
             * @example https://consumer.example/ach-payments-api/v1/hook
             */
            url: string;
            /**
             * @description Whom to call when deliveries fail.
             * @example integration@acme.example
             */
            contact?: string;
            /**
             * @description Whether the mail address in `contact` gets a mail when the consumer is down, and when it has recovered.
             * @default false
             */
            notifyContact: boolean;
            notes?: string;
            eventTypes: ("ach.status" | "wire.status")[];
            /**
             * @description The consumer gets ACH events whose debtor or creditor has one of these `achCompanyId`s.
             * @example [
             *       "1234567890"
             *     ]
             */
            achCompanyIds?: string[];
            /**
             * @description The consumer gets wire events whose originator has one of these `wireCompanyId`s.
             * @example [
             *       "1234567890"
             *     ]
             */
            wireCompanyIds?: string[];
            /**
             * @description The consumer gets the events of every payment, regardless of the parties.
             * @default false
             */
            allPayments: boolean;
            credentials: components["schemas"]["CredentialsDto"];
            /**
             * @description HMAC key. Absent: the dispatcher generates 256 random bits, and only this response shows them.
             * @example whsec_at-least-16-characters
             */
            signingSecret?: string;
            /**
             * @description PEM of a private authority, trusted instead of the public ones.
             * @example -----BEGIN CERTIFICATE-----
             *     …
             */
            caCertificate?: string;
            /** @description For a consumer that requests one (mutual TLS). */
            clientCertificate?: components["schemas"]["ClientCertificateDto"];
            /**
             * @description Unit of `x-timestamp`.
             * @default seconds
             * @enum {string}
             */
            timestampUnit: "seconds" | "milliseconds";
            /**
             * @description `payment`: a payment's statuses arrive in the order of acceptance. `none`: each as soon as possible.
             * @default payment
             * @enum {string}
             */
            ordering: "payment" | "none";
            /**
             * @description Timeout of the whole exchange, in milliseconds.
             * @default 10000
             */
            timeoutMs: number;
            /**
             * @description Maximum number of deliveries in flight, over all workers.
             * @default 64
             */
            maxConcurrency: number;
            /** @description Maximum number of deliveries per second, over all workers. Absent: no limit. */
            maxPerSecond?: number;
            /** @description Seconds between attempts. Absent: 13 attempts over about 72 hours. In any case a delivery ends `dead` 14 days after acceptance at the latest (paused time and internal errors do not count). */
            retrySchedule?: number[];
            /**
             * @description Registers it paused, with the reason `Not live yet`: its deliveries are held until a person resumes it.
             * @default false
             */
            paused: boolean;
        };
        CertificateInUseDto: {
            /**
             * @description `client`: the dispatcher's; `authority`: the consumer's private authority; `server`: its server's last one.
             * @enum {string}
             */
            use: "client" | "authority" | "server";
            /**
             * Format: date-time
             * @description Since when the consumer's server has presented it; null for registered certificates.
             */
            seenAt: string | null;
            /** @example CN=dispatcher, O=The Bank */
            subject: string;
            issuer: string;
            /** @description Hexadecimal. */
            serialNumber: string;
            /** @description SHA-256. */
            fingerprint: string;
            /** Format: date-time */
            notBefore: string;
            /** Format: date-time */
            notAfter: string;
            /**
             * @description `expiring`: it expires within 30 days.
             * @enum {string}
             */
            state: "valid" | "expiring" | "expired";
        };
        CircuitDto: {
            /** Format: date-time */
            openedAt: string;
            failedProbes: number;
            /** Format: date-time */
            nextProbeAt: string | null;
        };
        FailureCauseDto: {
            /** @description The cause with its frequency: `The last 320 attempts were answered HTTP 401`. */
            words: string;
            /** @enum {string} */
            outcome: "acknowledged" | "http_status" | "redirect" | "timeout" | "dns" | "connect" | "tls" | "reset" | "blocked_address" | "invalid_response";
            httpStatus: number | null;
            count: number;
            /** @description Number of consecutive failures; or, while some attempts succeed, of all attempts of the last 15 minutes. */
            of: number;
        };
        OpenDeadDto: {
            count: number;
            /**
             * Format: date-time
             * @description When the oldest of them became dead; null if there are none.
             */
            oldestAt: string | null;
        };
        HealthNoticeDto: {
            words: string;
            advice: string;
            /**
             * Format: date-time
             * @description Expiry of the certificate.
             */
            at: string;
        };
        ConsumerHealthDto: {
            /** @enum {string} */
            state: "credentials_broken" | "down" | "degraded" | "falling_behind" | "paused" | "healthy";
            /**
             * Format: date-time
             * @description Start of the state; for failures, the first one after the last success. Null while healthy.
             */
            since: string | null;
            /**
             * Format: date-time
             * @description Last success, accurate to the minute during a delivery session. Null: none is known.
             */
            lastSuccessAt: string | null;
            /** @description Description of the problem, in plain words. */
            summary: string;
            /** @description Recommended next step, in plain words. */
            advice: string;
            /** @description Main cause of the failures; null unless the consumer is down or degraded. */
            cause: components["schemas"]["FailureCauseDto"] | null;
            /**
             * @description Probable place of the fault: the consumer (`theirs`), the network (`line`) or the dispatcher (`ours`).
             * @enum {string|null}
             */
            side: "theirs" | "line" | "ours" | null;
            /** @description Share of successful attempts in the last 15 minutes; null without attempts. */
            successShare: number | null;
            /** @description Number of consecutive failed attempts. */
            failuresInARow: number;
            dead: components["schemas"]["OpenDeadDto"];
            /** @description Certificates that expire within 30 days or have expired. */
            notices: components["schemas"]["HealthNoticeDto"][];
            /** @description Whether a person paused it less than 30 days ago. */
            planned: boolean;
            /** @description Exact number of scheduled, sending and held deliveries. A large backlog is counted less often. */
            waiting: number;
            /**
             * Format: date-time
             * @description Due time of the longest overdue delivery; null if none is overdue.
             */
            oldestDueAt: string | null;
            /** @description Accepted deliveries per minute. */
            inPerMinute: number;
            /** @description Finished deliveries per minute. */
            outPerMinute: number;
            /** @enum {string} */
            trend: "empty" | "steady" | "draining" | "growing";
            /** @description Seconds until the backlog is empty at the current rates; null unless `trend` is `draining`. */
            drainsInSeconds: number | null;
        };
        ConsumerCreatedDto: {
            /** @description Present only if the dispatcher generated it, and only in this response: pass it on to the consumer now. */
            signingSecret?: string;
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
            /** @description Whether the contact gets a mail when the consumer is down, and when it has recovered. */
            notifyContact: boolean;
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
            /** @description Seconds between attempts; null: the default schedule, 13 attempts over about 72 hours. */
            retrySchedule: number[] | null;
            /** @description PEM of a private authority, trusted instead of the public ones. Null: the public ones are trusted. */
            caCertificate: string | null;
            /** @description The certificates in use, the dispatcher's own first. `health.notices` names each that expires within 30 days. */
            certificates: components["schemas"]["CertificateInUseDto"][];
            /** @enum {string} */
            state: "active" | "paused";
            /** Format: date-time */
            pausedAt: string | null;
            /**
             * Format: date-time
             * @description When sending resumes automatically; null: only when a person resumes it.
             */
            pausedUntil: string | null;
            /** @description `Not live yet`: it was registered paused and has never been resumed. */
            pauseReason: string | null;
            /** @description Number of failed attempts since the last success. */
            failuresInARow: number;
            /** @description Null while the circuit is closed. */
            circuit: components["schemas"]["CircuitDto"] | null;
            /** @description Why its credentials cannot be decrypted, and what to do; its deliveries are held meanwhile. Null: they can. */
            secretFault: string | null;
            health: components["schemas"]["ConsumerHealthDto"];
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
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
            /** @description Whether the contact gets a mail when the consumer is down, and when it has recovered. */
            notifyContact: boolean;
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
            /** @description Seconds between attempts; null: the default schedule, 13 attempts over about 72 hours. */
            retrySchedule: number[] | null;
            /** @description PEM of a private authority, trusted instead of the public ones. Null: the public ones are trusted. */
            caCertificate: string | null;
            /** @description The certificates in use, the dispatcher's own first. `health.notices` names each that expires within 30 days. */
            certificates: components["schemas"]["CertificateInUseDto"][];
            /** @enum {string} */
            state: "active" | "paused";
            /** Format: date-time */
            pausedAt: string | null;
            /**
             * Format: date-time
             * @description When sending resumes automatically; null: only when a person resumes it.
             */
            pausedUntil: string | null;
            /** @description `Not live yet`: it was registered paused and has never been resumed. */
            pauseReason: string | null;
            /** @description Number of failed attempts since the last success. */
            failuresInARow: number;
            /** @description Null while the circuit is closed. */
            circuit: components["schemas"]["CircuitDto"] | null;
            /** @description Why its credentials cannot be decrypted, and what to do; its deliveries are held meanwhile. Null: they can. */
            secretFault: string | null;
            health: components["schemas"]["ConsumerHealthDto"];
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
            /** @example Acme Corporation */
            name?: string;
            externalId?: string | null;
            /**
             * Format: uri
             * @description Used from the next attempt on.
             */
            url?: string;
            contact?: string | null;
            notifyContact?: boolean;
            notes?: string | null;
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
            /**
             * @description PEM of a private authority, trusted instead of the public ones from the next attempt on. Null: the public ones.
             * @example -----BEGIN CERTIFICATE-----
             *     …
             */
            caCertificate?: string | null;
            /** @enum {string} */
            timestampUnit?: "seconds" | "milliseconds";
            /** @enum {string} */
            ordering?: "payment" | "none";
            timeoutMs?: number;
            maxConcurrency?: number;
            /** @description Null: no limit. */
            maxPerSecond?: number | null;
            /** @description Null: 13 attempts over about 72 hours. */
            retrySchedule?: number[] | null;
        };
        PauseConsumerDto: {
            /** @example the consumer asked for it, ticket 4711 */
            reason: string;
            /** @description When sending resumes automatically: in the future, at most 30 days ahead. Absent: only when a person resumes it. Replaces the end of an earlier pause. */
            until?: string;
        };
        CreateConsumerKeyDto: {
            /**
             * @description A name chosen by the operator, for example the holder of the key.
             * @example payments-hub
             */
            name: string;
            /** @description Absent: it does not expire. */
            expiresAt?: string;
        };
        AddCredentialsDto: {
            /** @example the consumer asked for it, ticket 4711 */
            reason?: string;
            /**
             * @description HMAC key. Not together with `generateSecret`.
             * @example whsec_at-least-16-characters
             */
            signingSecret?: string;
            /**
             * @description No colon and no control characters (RFC 7617).
             * @example bank
             */
            username?: string;
            /**
             * @description Encrypted at once; the API never returns it.
             * @example a long random text
             */
            password?: string;
            /** @description For a consumer that requests one (mutual TLS); only the bank's people set it. Null: the new version has none. */
            clientCertificate?: components["schemas"]["ClientCertificateDto"] | null;
            /** @description The instant from which every attempt uses this version. Absent: now. */
            activateAt?: string;
            /**
             * @description Generates a signing secret of 256 random bits; only this response shows it.
             * @default false
             */
            generateSecret: boolean;
        };
        CertificateDto: {
            /** @example CN=dispatcher, O=The Bank */
            subject: string;
            issuer: string;
            /** @description Hexadecimal. */
            serialNumber: string;
            /** @description SHA-256. */
            fingerprint: string;
            /** Format: date-time */
            notBefore: string;
            /** Format: date-time */
            notAfter: string;
            /**
             * @description `expiring`: it expires within 30 days.
             * @enum {string}
             */
            state: "valid" | "expiring" | "expired";
        };
        CredentialsAddedDto: {
            /** @description Present only if the dispatcher generated it, and only in this response: pass it on to the consumer now. */
            signingSecret?: string;
            version: number;
            /**
             * @description `current`: in force; `coming`: in force from `activateAt` on; `former`: was in force, can be activated again.
             * @enum {string}
             */
            state: "current" | "coming" | "former";
            /**
             * Format: date-time
             * @description When it comes into force, or last came into force.
             */
            activateAt: string;
            /** Format: date-time */
            createdAt: string;
            /** @description Name of the API key or person that added it; null if added before names were recorded, and for the consumer's own people. */
            createdBy: string | null;
            /** @description Chain of the client certificate, the dispatcher's own first; empty without a client certificate, and for the consumer's own people. */
            clientCertificates: components["schemas"]["CertificateDto"][];
        };
        CredentialVersionDto: {
            version: number;
            /**
             * @description `current`: in force; `coming`: in force from `activateAt` on; `former`: was in force, can be activated again.
             * @enum {string}
             */
            state: "current" | "coming" | "former";
            /**
             * Format: date-time
             * @description When it comes into force, or last came into force.
             */
            activateAt: string;
            /** Format: date-time */
            createdAt: string;
            /** @description Name of the API key or person that added it; null if added before names were recorded, and for the consumer's own people. */
            createdBy: string | null;
            /** @description Chain of the client certificate, the dispatcher's own first; empty without a client certificate, and for the consumer's own people. */
            clientCertificates: components["schemas"]["CertificateDto"][];
        };
        CredentialListDto: {
            /** @description The newest version first. */
            credentials: components["schemas"]["CredentialVersionDto"][];
        };
        SignedPartsDto: {
            /** @example POST */
            verb: string;
            url: string;
            body: string;
            /** @example 1700000000 */
            timestamp: string;
        };
        SignatureExplanationDto: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "explanation";
            /** Format: uuid */
            deliveryId: string;
            /** Format: uuid */
            notificationId: string;
            /** @description The version of the credentials whose secret is the key. */
            credentialVersion: number;
            /** @description The exact text whose UTF-8 bytes are signed. */
            stringToSign: string;
            parts: components["schemas"]["SignedPartsDto"];
            /** @description HMAC-SHA256 of `stringToSign` with that secret: 64 lower-case hexadecimal characters. */
            signature: string;
            /** @description The request headers as recorded with the attempt; secrets redacted. */
            headers: {
                [key: string]: string;
            };
            /** @description What to compare and what is unusual, in plain words. */
            notes: string[];
        };
        SignatureDifferenceDto: {
            /** @enum {string} */
            code: "signature_blanks" | "signature_prefix" | "signature_upper_case" | "signature_base64" | "url_registered" | "url_canonical" | "url_slash" | "url_scheme" | "url_host_case" | "url_default_port" | "url_without_query" | "url_path_only" | "timestamp_milliseconds" | "timestamp_seconds" | "body_as_sent" | "body_trimmed" | "body_keys_sorted" | "body_compact" | "body_spaced" | "body_indented" | "body_escaped" | "body_trailing_blank" | "body_trailing_break" | "body_byte_order_mark" | "verb_missing" | "verb_lower_case" | "parts_order" | "other_version" | "secret_trailing_break" | "secret_from_hex" | "secret_from_base64";
            /** @description The difference as a sentence. */
            words: string;
        };
        NamedNotificationDto: {
            /** Format: uuid */
            notificationId: string;
            /** Format: uuid */
            deliveryId: string;
            /**
             * @description `rewritten`: the same JSON in other bytes. `changed`: other content, or invalid JSON.
             * @enum {string}
             */
            kind: "same_bytes" | "rewritten" | "changed";
            /** @description Number of equal bytes before the first difference; absent when there is none. */
            offset?: number;
            /** @description At most 16 characters of the body as sent, from the first difference on. */
            sent?: string;
            /** @description At most 16 characters of the pasted body, from the first difference on. */
            given?: string;
        };
        SignatureComparisonDto: {
            /** @description At most two variations of the text or key, and deviations in the form of the signature. */
            differences: components["schemas"]["SignatureDifferenceDto"][];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "comparison";
            /**
             * @description `match`: the dispatcher computes the same signature for this text. `variation`: the signature results from `differences`. `no_match`: it results from no text and secret that was tried.
             * @enum {string}
             */
            finding: "match" | "variation" | "no_match";
            /** @description The version of the credentials whose secret is the key; for `no_match`, the requested version. */
            credentialVersion: number;
            /** @description Null: the body names no notification of this consumer. */
            notification: components["schemas"]["NamedNotificationDto"] | null;
            /** @description What is unusual in the pasted values, in plain words. */
            notes: string[];
        };
        ExplainSignatureDto: {
            /** Format: uuid */
            deliveryId?: string;
            /** @description Absent: the last attempt. */
            attempt?: number;
            /**
             * @description The body that the consumer has signed, compared as UTF-8. The whole request may have at most 256 KiB.
             * @example {"a":1}
             */
            body?: string;
            /**
             * @description The value of `x-timestamp`.
             * @example 1700000000
             */
            timestamp?: string;
            /**
             * @description The signature that the consumer has computed; required with a body. 64 hexadecimal characters, or base64. Capitals, surrounding blanks and a prefix such as `sha256=` are accepted and reported.
             * @example 6964a30a8ba691eb862b88dcaf7c2a711898b436a662c3e2e1cfbef65bdb2dcd
             */
            signature?: string;
            /**
             * Format: uri
             * @description Absent: the registered URL.
             */
            url?: string;
            /** @description Absent: the version in force. The 8 newest other versions are also tried. */
            credentialVersion?: number;
        };
        CreateSignInLinkDto: {
            /**
             * @description Whom the link is for: the actor of the session in the audit log.
             * @example payments-hub
             */
            name: string;
            /** @description Until when the link can be used, at most 7 days ahead. Absent: 24 hours. */
            expiresAt?: string;
        };
        SignInLinkCreatedDto: {
            /**
             * @description The link. Only this response contains it. It begins with `PUBLIC_URL`; without that setting it is a path of the console. Browsers do not send the part after `#`, so that no server logs the token.
             * @example https://notifications.bank.example/sign-in#link=pnl_…
             */
            url: string;
            /** Format: uuid */
            id: string;
            name: string;
            /**
             * @description `used`: a session was begun, which lasts 12 hours at most. `revoked`: its session has ended too.
             * @enum {string}
             */
            state: "unused" | "used" | "expired" | "revoked";
            /** @description Name of the API key or person that created it. */
            createdBy: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            expiresAt: string;
            /** Format: date-time */
            usedAt: string | null;
            /** Format: date-time */
            revokedAt: string | null;
        };
        SignInLinkDto: {
            /** Format: uuid */
            id: string;
            name: string;
            /**
             * @description `used`: a session was begun, which lasts 12 hours at most. `revoked`: its session has ended too.
             * @enum {string}
             */
            state: "unused" | "used" | "expired" | "revoked";
            /** @description Name of the API key or person that created it. */
            createdBy: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            expiresAt: string;
            /** Format: date-time */
            usedAt: string | null;
            /** Format: date-time */
            revokedAt: string | null;
        };
        SignInLinkListDto: {
            signInLinks: components["schemas"]["SignInLinkDto"][];
            pagination: components["schemas"]["PaginationDto"];
        };
        UrlRequestDto: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            consumerId: string;
            consumerName: string;
            /**
             * Format: uri
             * @description The requested URL, in its canonical form.
             */
            url: string;
            /**
             * Format: uri
             * @description The consumer's URL when the request was made.
             */
            urlBefore: string;
            /**
             * Format: uri
             * @description The consumer's URL now. If it differs from `urlBefore`, a waiting request cannot be approved.
             */
            currentUrl: string;
            /** @enum {string} */
            state: "waiting" | "approved" | "rejected" | "withdrawn";
            reason: string | null;
            /** @description Name of the consumer's key or person that made it. */
            madeBy: string;
            /** Format: date-time */
            madeAt: string;
            /** @description Name of the API key or person that decided or withdrew it; null while it waits. */
            decidedBy: string | null;
            /** Format: date-time */
            decidedAt: string | null;
            decisionReason: string | null;
        };
        UrlRequestListDto: {
            urlRequests: components["schemas"]["UrlRequestDto"][];
            pagination: components["schemas"]["PaginationDto"];
        };
        TestConsumerDto: {
            /**
             * @description Absent: the first of the consumer's event types.
             * @enum {string}
             */
            eventType?: "ach.status" | "wire.status";
            /**
             * @description `current`: the version in force; `next`: the coming version, before its `activateAt`.
             * @default current
             * @enum {string}
             */
            credentials: "current" | "next";
        };
        TestDeliveryDto: {
            /**
             * @description Begins with `TEST-`.
             * @example TEST-2f2-7b5e-7c3a-8f00-000000000000
             */
            notificationId: string;
            /** @enum {string} */
            eventType: "ach.status" | "wire.status";
            /** @description The exact body that was sent. */
            body: string;
            /** Format: date-time */
            startedAt: string;
            durationMs: number;
            /** @enum {string} */
            outcome: "acknowledged" | "http_status" | "redirect" | "timeout" | "dns" | "connect" | "tls" | "reset" | "blocked_address" | "invalid_response";
            httpStatus: number | null;
            /** @description The outcome in words; null for the consumer's own people. */
            detail: string | null;
            /** @description Recommended next step, in plain words: for operators, or for the consumer's own people. */
            advice: string;
            /** @description The URL as requested and signed. */
            url: string;
            /** @description The address that the request was written to; with `EGRESS_PROXY`, the proxy's. Null when nothing was sent, and for the consumer's own people. */
            remoteAddress: string | null;
            credentialVersion: number;
            /** @description Secrets redacted. */
            requestHeaders: {
                [key: string]: string;
            };
            /** @description Null without a response, or if withheld. */
            responseHeaders: {
                [key: string]: string;
            } | null;
            /** @description The first 4 KiB. Null without a readable body, or if withheld. */
            responseBody: string | null;
            /** @description Whether the consumer sent more than `responseBody` shows. */
            responseTruncated: boolean;
            /** @description Consumer's clock minus the dispatcher's, if more than a minute: the likeliest cause of refused signatures. */
            clockSkewMs: number | null;
        };
        FailureGroupDto: {
            /** @enum {string} */
            outcome: "acknowledged" | "http_status" | "redirect" | "timeout" | "dns" | "connect" | "tls" | "reset" | "blocked_address" | "invalid_response";
            httpStatus: number | null;
            /** @description Number of failed attempts. */
            count: number;
            /** @description Number of deliveries that these attempts belong to. */
            deliveries: number;
            /** Format: date-time */
            firstAt: string;
            /** Format: date-time */
            lastAt: string;
            /** @description Recommended next step, in plain words: for operators, or for the consumer's own people. */
            advice: string;
            /** @description Outcome of the last attempt, in words; null for the consumer's own people. */
            lastDetail: string | null;
            /** Format: uuid */
            lastDeliveryId: string;
        };
        FailureListDto: {
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            /** @description Number of failed attempts evaluated: the newest ones of the period. */
            attemptsSeen: number;
            /** @description True: `attemptsSeen` is the maximum of 5,000, and older ones may exist. Request a shorter period to see them. */
            attemptsAreCapped: boolean;
            /** @description The most frequent cause first. */
            failures: components["schemas"]["FailureGroupDto"][];
        };
        IssueDto: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            kind: "credentials_broken" | "down" | "paused_unplanned" | "degraded" | "falling_behind" | "dead_not_settled" | "certificate_expiring" | "api_key_expiring";
            /**
             * @description By its kind. `page`: a person has to act now; `ticket`: on the same working day; `info`: within days.
             * @enum {string}
             */
            severity: "page" | "ticket" | "info";
            /**
             * @description `acknowledged`: a person takes care of it. `resolved`: the condition has ended, or a person has closed it.
             * @enum {string}
             */
            state: "open" | "acknowledged" | "resolved";
            /**
             * Format: uuid
             * @description Null: an issue of the whole installation.
             */
            consumerId: string | null;
            consumerName: string | null;
            /** @description The consumer's contact. */
            contact: string | null;
            /** @description Deliveries of the consumer that wait now; null: it is resolved, or has no consumer. */
            waiting: number | null;
            /** @description Dead deliveries of the consumer that are not settled now; null: it is resolved, or has no consumer. */
            dead: number | null;
            /** @description What was observed when it was opened. */
            summary: string;
            /** @description What to do. */
            advice: string;
            /** Format: date-time */
            openedAt: string;
            /**
             * Format: date-time
             * @description When the condition ended; null while it lasts.
             */
            endedAt: string | null;
            /** Format: date-time */
            acknowledgedAt: string | null;
            acknowledgedBy: string | null;
            /** @description The note of the acknowledgement. */
            note: string | null;
            /** Format: date-time */
            resolvedAt: string | null;
            /** @description Null: not resolved, or resolved automatically. */
            resolvedBy: string | null;
            /** @description The reason of a person who resolved it. */
            resolution: string | null;
        };
        IssueListDto: {
            issues: components["schemas"]["IssueDto"][];
            pagination: components["schemas"]["PaginationDto"];
        };
        IssueMessageDto: {
            /** @enum {string} */
            event: "opened" | "acknowledged" | "resolved";
            /** @description Null: the contact of the consumer. */
            channelName: string | null;
            /** @enum {string} */
            state: "pending" | "sent" | "failed" | "superseded" | "counted" | "summarised";
            /**
             * Format: date-time
             * @description When it was sent, or created if it is not sent.
             */
            at: string;
            /** @description Why it could not be sent, if it could not. */
            lastError: string | null;
        };
        IssueDetailDto: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            kind: "credentials_broken" | "down" | "paused_unplanned" | "degraded" | "falling_behind" | "dead_not_settled" | "certificate_expiring" | "api_key_expiring";
            /**
             * @description By its kind. `page`: a person has to act now; `ticket`: on the same working day; `info`: within days.
             * @enum {string}
             */
            severity: "page" | "ticket" | "info";
            /**
             * @description `acknowledged`: a person takes care of it. `resolved`: the condition has ended, or a person has closed it.
             * @enum {string}
             */
            state: "open" | "acknowledged" | "resolved";
            /**
             * Format: uuid
             * @description Null: an issue of the whole installation.
             */
            consumerId: string | null;
            consumerName: string | null;
            /** @description The consumer's contact. */
            contact: string | null;
            /** @description Deliveries of the consumer that wait now; null: it is resolved, or has no consumer. */
            waiting: number | null;
            /** @description Dead deliveries of the consumer that are not settled now; null: it is resolved, or has no consumer. */
            dead: number | null;
            /** @description What was observed when it was opened. */
            summary: string;
            /** @description What to do. */
            advice: string;
            /** Format: date-time */
            openedAt: string;
            /**
             * Format: date-time
             * @description When the condition ended; null while it lasts.
             */
            endedAt: string | null;
            /** Format: date-time */
            acknowledgedAt: string | null;
            acknowledgedBy: string | null;
            /** @description The note of the acknowledgement. */
            note: string | null;
            /** Format: date-time */
            resolvedAt: string | null;
            /** @description Null: not resolved, or resolved automatically. */
            resolvedBy: string | null;
            /** @description The reason of a person who resolved it. */
            resolution: string | null;
            /** @description The messages about it, oldest first. */
            messages: components["schemas"]["IssueMessageDto"][];
        };
        AcknowledgeIssueDto: {
            /**
             * @description For colleagues, for example what was arranged with the consumer.
             * @example called the contact; their server is back at 04:00
             */
            note?: string;
        };
        PortalHealthDto: {
            /** @enum {string} */
            state: "credentials_broken" | "down" | "degraded" | "falling_behind" | "paused" | "healthy";
            /**
             * Format: date-time
             * @description Start of the state; null while healthy.
             */
            since: string | null;
            /**
             * Format: date-time
             * @description Last success, accurate to the minute; null: none is known.
             */
            lastSuccessAt: string | null;
            /**
             * Format: date-time
             * @description While the server is down: when the next attempt is made, and the rest after its success. Otherwise null.
             */
            nextTryAt: string | null;
            /** @example Your server answered 503: it is unavailable. */
            summary: string;
            /** @description Recommended next step. */
            advice: string;
        };
        PortalCountsDto: {
            /** @description Has its turn, or its next attempt, at a known time. */
            queued: number;
            /** @description Being sent at this moment. */
            sending: number;
            /** @description Not sent until something changes. */
            held: number;
            /** @description Given up and not settled. */
            dead: number;
            /** @description Created in the last 24 hours and delivered. */
            delivered: number;
            /** @description Created in the last 24 hours and cancelled. */
            cancelled: number;
        };
        PortalUrlRequestDto: {
            /** Format: uuid */
            id: string;
            /**
             * Format: uri
             * @description The requested URL, in its canonical form.
             */
            url: string;
            /** @enum {string} */
            state: "waiting" | "approved" | "rejected" | "withdrawn";
            /** Format: date-time */
            madeAt: string;
            /** @description The reason of the request. */
            reason: string | null;
            /** @description Name of the key or person that made the request. */
            madeBy: string;
            /**
             * Format: date-time
             * @description When the bank decided, or the request was withdrawn; null while it waits.
             */
            decidedAt: string | null;
            /** @description Why the bank rejected it; null in every other state. */
            rejectionReason: string | null;
        };
        PortalExpiringKeyDto: {
            name: string;
            /** Format: date-time */
            expiresAt: string;
        };
        PortalProfileDto: {
            /** Format: uuid */
            id: string;
            name: string;
            /**
             * Format: uri
             * @description In the canonical form in which it is requested and signed.
             */
            url: string;
            eventTypes: ("ach.status" | "wire.status")[];
            /** @enum {string} */
            ordering: "payment" | "none";
            /** @enum {string} */
            state: "active" | "paused";
            /**
             * @description Unit of `x-timestamp`.
             * @enum {string}
             */
            timestampUnit: "seconds" | "milliseconds";
            /**
             * Format: date-time
             * @description Since when sending to this consumer is paused; null while it is active.
             */
            pausedAt: string | null;
            /**
             * Format: date-time
             * @description When sending resumes automatically; null: when the bank resumes it, or while it is active.
             */
            pausedUntil: string | null;
            /** @description Whether the bank has paused sending to all consumers. */
            isSendingPaused: boolean;
            /** @description Whom to ask at the bank: a mail address, a telephone number, or both (`SUPPORT_CONTACT`); null: not configured. */
            supportContact: string | null;
            health: components["schemas"]["PortalHealthDto"];
            counts: components["schemas"]["PortalCountsDto"];
            /**
             * Format: date-time
             * @description Due time of the longest overdue delivery; null if none is overdue.
             */
            oldestDueAt: string | null;
            /** @description The requested change of the URL that waits for the bank; null without one. */
            waitingUrlRequest: components["schemas"]["PortalUrlRequestDto"] | null;
            /** @description Own API keys that were used in the last 30 days and end within 14 days, the earliest first. No issue of the bank reports them. */
            expiringKeys: components["schemas"]["PortalExpiringKeyDto"][];
        };
        PortalKeyDto: {
            /** Format: uuid */
            id: string;
            name: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            expiresAt: string | null;
            /** Format: date-time */
            revokedAt: string | null;
            /**
             * Format: date-time
             * @description Last use, accurate to the minute; null: never used.
             */
            lastUsedAt: string | null;
            /** @description Whether it is the session of a person who used a sign-in link, not a key. Revoking it ends the session. */
            isSession: boolean;
        };
        PortalKeyListDto: {
            keys: components["schemas"]["PortalKeyDto"][];
            pagination: components["schemas"]["PaginationDto"];
        };
        CreateOwnKeyDto: {
            /**
             * @description A name chosen by the consumer's people, for example the program that uses the key.
             * @example treasury
             */
            name: string;
            /** @description Absent: it does not expire. */
            expiresAt?: string;
        };
        PortalKeyCreatedDto: {
            /** Format: uuid */
            id: string;
            name: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            expiresAt: string | null;
            /** Format: date-time */
            revokedAt: string | null;
            /**
             * Format: date-time
             * @description Last use, accurate to the minute; null: never used.
             */
            lastUsedAt: string | null;
            /** @description Whether it is the session of a person who used a sign-in link, not a key. Revoking it ends the session. */
            isSession: boolean;
            /**
             * @description The key itself. Only this response contains it.
             * @example pnd_…
             */
            key: string;
        };
        PortalUrlRequestListDto: {
            urlRequests: components["schemas"]["PortalUrlRequestDto"][];
            pagination: components["schemas"]["PaginationDto"];
        };
        MakeUrlRequestDto: {
            /** @example the consumer asked for it, ticket 4711 */
            reason?: string;
            /**
             * Format: uri
             * @description The same rules as for a registration: https, no user name or password, no fragment. Shown in its canonical form.
             * @example https://consumer.example/ach-payments-api/v2/hook
             */
            url: string;
        };
        AlertWayDto: {
            /**
             * Format: date-time
             * @description When an alert was last accepted; null: none yet.
             */
            lastSentAt: string | null;
            /** @description Why the newest alert was not accepted: `HTTP 500`, an outcome, `mail` (the mail server) or `bank`; null: it was, or there was none yet. */
            fault: string | null;
        };
        AlertsDto: {
            /** @description Empty: none. */
            kinds: ("endpoint_down" | "credentials_change" | "replay_done")[];
            /** @description The mail addresses. */
            recipients: string[];
            /** @description The host of the webhook’s URL, which is never shown; null: there is no webhook. */
            host: string | null;
            /** @description Null: there are no mail addresses. */
            mail: components["schemas"]["AlertWayDto"] | null;
            /** @description Null: there is no webhook. */
            webhook: components["schemas"]["AlertWayDto"] | null;
        };
        ChooseAlertsDto: {
            /** @description `endpoint_down`: when your server does not accept notifications, and when it does again. `credentials_change`: when there is a new version of the credentials, and 24 hours before it is used. `replay_done`: when your replay has ended. */
            kinds: ("endpoint_down" | "credentials_change" | "replay_done")[];
            /**
             * @description Mail addresses that get the alerts.
             * @example [
             *       "treasury@acme.example"
             *     ]
             */
            recipients: string[];
            /**
             * Format: uri
             * @description A new webhook, with a new signing secret; null: no webhook; absent: it stays as it is.
             */
            url?: string | null;
        };
        AlertsChosenDto: {
            /** @description Empty: none. */
            kinds: ("endpoint_down" | "credentials_change" | "replay_done")[];
            /** @description The mail addresses. */
            recipients: string[];
            /** @description The host of the webhook’s URL, which is never shown; null: there is no webhook. */
            host: string | null;
            /** @description Null: there are no mail addresses. */
            mail: components["schemas"]["AlertWayDto"] | null;
            /** @description Null: there is no webhook. */
            webhook: components["schemas"]["AlertWayDto"] | null;
            /** @description The secret of a new webhook’s signatures, shown in this answer only. */
            signingSecret?: string;
        };
        AlertsTestedDto: {
            /** @description Accepted by the bank’s mail server; that it arrives, only the receiver sees. */
            mail: components["schemas"]["ChannelTestedDto"] | null;
            webhook: components["schemas"]["ChannelTestedDto"] | null;
        };
        StartReplayDto: {
            /** @example the consumer asked for it, ticket 4711 */
            reason?: string;
            /** @description Deliveries created at or after this instant. */
            from: string;
            /** @description Deliveries created before this instant. Absent: all that exist now. */
            to?: string;
            /**
             * @description `missed`: only what was not delivered (waiting, dead, settled, cancelled). `all`: also delivered ones, again.
             * @default missed
             * @enum {string}
             */
            scope: "missed" | "all";
            /** @description Only counts the deliveries; `expectedCount` is then ignored. */
            dryRun?: boolean;
            /** @description Number of deliveries that the caller expects. If more match, nothing is started. */
            expectedCount?: number;
        };
        ReplayPreviewDto: {
            /** @description Null: the deliveries could not be counted within five seconds. */
            matched: number | null;
        };
        ReplayDto: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            state: "running" | "finished" | "stopped" | "failed";
            /** @description Number of matching deliveries at the start; null: they could not be counted within five seconds. */
            matched: number | null;
            /** @description Number of deliveries processed so far: the sum of `changed` and `skipped`. */
            processed: number;
            changed: number;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it finished, was stopped or failed; null while it runs.
             */
            finishedAt: string | null;
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string | null;
            /** @enum {string} */
            scope: "missed" | "all";
            skipped: number;
            /** @description Name of the own key or person that started it. */
            createdBy: string;
        };
        ReplayListDto: {
            replays: components["schemas"]["ReplayDto"][];
            pagination: components["schemas"]["PaginationDto"];
        };
        AuditEntryDto: {
            /** @example 4711 */
            id: string;
            /** Format: date-time */
            at: string;
            /** @description The name of the API key or person; `dispatcher` for the dispatcher’s own entries. */
            actor: string;
            /**
             * @description The roles granted to the actor; null for the dispatcher.
             * @example operator
             */
            role: string | null;
            /** @example consumer.changed */
            action: string;
            /** @example consumer:0199c2f2-7b5e-7c3a-8f00-000000000000 */
            target: string;
            /**
             * @description The current name of a consumer or API key, also after its removal; null for other targets.
             * @example Acme
             */
            targetName: string | null;
            /** @description The client's IP address; null for the dispatcher. */
            address: string | null;
            reason: string | null;
            details: {
                [key: string]: unknown;
            };
            /** @description The changed fields with their values before the change. Never contains a secret. */
            before: {
                [key: string]: unknown;
            } | null;
            /** @description The changed fields with their values after the change. Never contains a secret. */
            after: {
                [key: string]: unknown;
            } | null;
        };
        AuditListDto: {
            entries: components["schemas"]["AuditEntryDto"][];
            pagination: components["schemas"]["PaginationDto"];
        };
        NotificationListDto: {
            /** @description Envelopes, exactly as they are delivered. */
            events: {
                [key: string]: unknown;
            }[];
            pagination: components["schemas"]["PaginationDto"];
        };
        PaymentDto: {
            /** @enum {string} */
            kind: "ach" | "wire";
            /** @description ACH `transactionId` or wire `paymentId`. */
            paymentId: string;
            /** @description Null if no status change contains one. */
            newestStatus: string | null;
            /** @description Number of status changes accepted for it, from all producers. */
            statusCount: number;
            /**
             * Format: date-time
             * @description When the newest status change was accepted.
             */
            updatedAt: string;
            /** @description The consumers that have a delivery of any of its statuses. */
            consumerIds: string[];
            /** @description Summary by consumer: the worst state of all its deliveries of this payment. A producer sees its own statuses only. */
            recipients: components["schemas"]["RecipientsDto"];
        };
        PaymentListDto: {
            payments: components["schemas"]["PaymentDto"][];
            pagination: components["schemas"]["PaginationDto"];
        };
        PaymentStatusDto: {
            /** @description Number among the payment's statuses, from 1, in the order of acceptance. */
            number: number;
            deliveries: components["schemas"]["DeliveryDto"][];
            /** Format: uuid */
            notificationId: string;
            /**
             * Format: date-time
             * @description When the status change happened, according to the producer.
             */
            eventDateTime: string;
            /**
             * Format: date-time
             * @description When the dispatcher accepted the event.
             */
            acceptedAt: string;
            /** @description The name of the API key that posted it. */
            producer: string;
            status: string | null;
            traceNumber: string | null;
            imad: string | null;
        };
        PaymentDetailDto: {
            /** @enum {string} */
            kind: "ach" | "wire";
            /** @description ACH `transactionId` or wire `paymentId`. */
            paymentId: string;
            /** @description Null if no status change contains one. */
            newestStatus: string | null;
            /** @description Number of status changes accepted for it, from all producers. */
            statusCount: number;
            /**
             * Format: date-time
             * @description When the newest status change was accepted.
             */
            updatedAt: string;
            /** @description The consumers that have a delivery of any of its statuses. */
            consumerIds: string[];
            /** @description Summary by consumer: the worst state of all its deliveries of this payment. A producer sees its own statuses only. */
            recipients: components["schemas"]["RecipientsDto"];
            /** @description In the order of acceptance; the newest 1,000. A producer sees its own statuses only. */
            statuses: components["schemas"]["PaymentStatusDto"][];
        };
        SendingDto: {
            /** @enum {string} */
            state: "active" | "paused";
            /** Format: date-time */
            pausedAt: string | null;
        };
        PartDto: {
            /** @enum {string} */
            name: "postgres" | "redis";
            /** @enum {string} */
            state: "up" | "down";
            /**
             * Format: date-time
             * @description Since when this process has observed this state.
             */
            since: string;
            /** @description The fault; null while it is up, and without the role viewer. */
            detail: string | null;
            /** @description Effect of the outage, and what to do; null while it is up, and without the role viewer. */
            whatToDo: string | null;
        };
        StatusDto: {
            /** Format: date-time */
            asOf: string;
            /** @description Redis is listed only if the queue uses it. */
            parts: components["schemas"]["PartDto"][];
        };
        SendingReasonDto: {
            /** @enum {string} */
            state: "active" | "paused";
            /** Format: date-time */
            pausedAt: string | null;
            pauseReason: string | null;
            /** @description Name of the API key or person that paused it. */
            pausedBy: string | null;
        };
        QueueStateDto: {
            /** @enum {string} */
            state: "queued" | "sending" | "held";
            /**
             * @description Null unless `state` is `held`.
             * @enum {string|null}
             */
            holdReason: "paused" | "circuit" | "concurrency" | "order" | "secret" | "record" | null;
            count: number;
            /** @description True: there can be more than `count`, since at most 100,000 pending deliveries are counted. */
            countIsCapped: boolean;
            /**
             * Format: date-time
             * @description Due time of the most overdue delivery (`queued`), or the beginning of the longest hold (`held`). Null without such a delivery, and for `sending`.
             */
            oldestDueAt: string | null;
            oldestAgeSeconds: number | null;
        };
        QueueRatesDto: {
            /** @description Accepted events. */
            acceptedPerMinute: number;
            /** @description Failed attempts. */
            failedPerMinute: number;
        };
        QueueWorkerDto: {
            /** Format: uuid */
            workerId: string;
            host: string;
            pid: number;
            /** Format: date-time */
            startedAt: string;
            /** Format: date-time */
            lastSeenAt: string;
            /** @description Maximum number of deliveries in flight. */
            concurrency: number;
            /** @description Deliveries in flight at the last heartbeat. */
            sending: number;
            /** @description Consumers that it served at the last heartbeat. */
            sessions: number;
        };
        QueueFiguresDto: {
            /** @description Number of scheduled, sending and held deliveries, exact. */
            waiting: number;
            /**
             * Format: date-time
             * @description Due time of the most overdue delivery, except those of paused consumers.
             */
            oldestDueAt: string | null;
            /** @description Dead deliveries that are not settled. */
            dead: components["schemas"]["OpenDeadDto"];
            /** @description Number of consumers. */
            consumers: number;
            /** @description Consumers at which everything arrives: they are not down or paused, have readable credentials, fewer than 3 consecutive failures, and no dead delivery that is not settled. */
            consumersReceivingAll: number;
            /** @description Share of acknowledged attempts to these consumers in the last 15 minutes; null without attempts. */
            successShare: number | null;
            consumersDown: number;
        };
        BacklogDto: {
            /** @description Exact number of scheduled, sending and held deliveries. A large backlog is counted less often. */
            waiting: number;
            /**
             * Format: date-time
             * @description Due time of the longest overdue delivery; null if none is overdue.
             */
            oldestDueAt: string | null;
            /** @description Accepted deliveries per minute. */
            inPerMinute: number;
            /** @description Finished deliveries per minute. */
            outPerMinute: number;
            /** @enum {string} */
            trend: "empty" | "steady" | "draining" | "growing";
            /** @description Seconds until the backlog is empty at the current rates; null unless `trend` is `draining`. */
            drainsInSeconds: number | null;
        };
        ConsumersInStateDto: {
            /** @enum {string} */
            state: "credentials_broken" | "down" | "degraded" | "falling_behind" | "paused" | "healthy";
            count: number;
        };
        ConsumerTroubleDto: {
            /** Format: uuid */
            consumerId: string;
            name: string;
            contact: string | null;
            /**
             * Format: date-time
             * @description When its pause ends automatically; null: it is not paused, or until an operator resumes it.
             */
            pausedUntil: string | null;
            health: components["schemas"]["ConsumerHealthDto"];
        };
        UnroutedDto: {
            count: number;
            countIsCapped: boolean;
            /**
             * Format: date-time
             * @description Older ones are marked as seen; null: none are.
             */
            seenUntil: string | null;
            /**
             * Format: date-time
             * @description End of the counted period, exclusive: what `POST /v1/events/unrouted/seen` takes to mark these as seen.
             */
            until: string;
        };
        QueueJobsDto: {
            /** @description Jobs that no worker has claimed yet. */
            waiting: number;
            /** @description Jobs of a worker that delivers to the consumer. */
            active: number;
            /** @description Timers of consumers that have work later. */
            delayed: number;
        };
        JobsWantedDto: {
            /** @description Number of consumers with work that has been due for five seconds, and that no worker reports to serve. */
            overdueConsumers: number;
        };
        QueueAgreementDto: {
            /** @description False if consumers with overdue deliveries lack a job. Null if the queue did not answer. */
            agrees: boolean | null;
            /** @description The result as a sentence. */
            detail: string;
            /** @description Null if the queue did not answer. */
            queue: components["schemas"]["QueueJobsDto"] | null;
            database: components["schemas"]["JobsWantedDto"];
        };
        OverviewDto: {
            /** Format: date-time */
            asOf: string;
            sending: components["schemas"]["SendingReasonDto"];
            /** @description `queued`, `sending`, and `held` with each reason; always all of them. */
            states: components["schemas"]["QueueStateDto"][];
            rates: components["schemas"]["QueueRatesDto"];
            /** @description Workers with a heartbeat in the last 6 s. */
            workers: components["schemas"]["QueueWorkerDto"][];
            /** @description Workers whose heartbeats ended in the last hour without a stop: each was killed, is suspended, or cannot reach PostgreSQL. The live workers have its consumers. */
            missingWorkers: components["schemas"]["QueueWorkerDto"][];
            figures: components["schemas"]["QueueFiguresDto"];
            /** @description Backlog of all consumers together. */
            backlog: components["schemas"]["BacklogDto"];
            /** @description Every state of health, the worst first. */
            consumers: components["schemas"]["ConsumersInStateDto"][];
            /** @description Consumers that are not healthy, have dead deliveries that are not settled, or certificates that expire soon. The worst first, planned pauses last; at most 100. */
            trouble: components["schemas"]["ConsumerTroubleDto"][];
            /** @description Number of all such consumers. */
            troubleTotal: number;
            unrouted: components["schemas"]["UnroutedDto"];
            agreement: components["schemas"]["QueueAgreementDto"];
        };
        ConsumerReportDto: {
            /** Format: uuid */
            consumerId: string;
            name: string;
            /** @description Time for which the circuit was open in the period. */
            downtimeMs: number;
            /** @description Number of deliveries accepted in the period. */
            accepted: number;
            delivered: number;
            /** @description Delivered more than `lateAfterMs` after acceptance, without those of `replayedOrPaused`. */
            late: number;
            /** @description Delivered after a replay, or sending was paused between acceptance and delivery. Their times count neither as late nor in the percentiles. Null if the source is `statistics`. */
            replayedOrPaused: number | null;
            dead: number;
            cancelled: number;
            /** @description Not finished: `accepted` less `delivered`, `dead` and `cancelled`. */
            waiting: number;
            /** @description Median time from acceptance to delivery, in milliseconds. */
            p50Ms: number | null;
            /** @description 95th percentile of the time from acceptance to delivery, in milliseconds. */
            p95Ms: number | null;
        };
        ReportFiguresDto: {
            /** @description Number of deliveries accepted in the period. */
            accepted: number;
            delivered: number;
            /** @description Delivered more than `lateAfterMs` after acceptance, without those of `replayedOrPaused`. */
            late: number;
            /** @description Delivered after a replay, or sending was paused between acceptance and delivery. Their times count neither as late nor in the percentiles. Null if the source is `statistics`. */
            replayedOrPaused: number | null;
            dead: number;
            cancelled: number;
            /** @description Not finished: `accepted` less `delivered`, `dead` and `cancelled`. */
            waiting: number;
            /** @description Median time from acceptance to delivery, in milliseconds. */
            p50Ms: number | null;
            /** @description 95th percentile of the time from acceptance to delivery, in milliseconds. */
            p95Ms: number | null;
        };
        ReportDto: {
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            lateAfterMs: number;
            /**
             * @description `deliveries`: exact. `statistics`: from the statistics of each minute; see the operation's description.
             * @enum {string}
             */
            source: "deliveries" | "statistics";
            /** @description Sorted by name. */
            consumers: components["schemas"]["ConsumerReportDto"][];
            totals: components["schemas"]["ReportFiguresDto"];
        };
        SearchHitDto: {
            /** @enum {string} */
            kind: "payment" | "event" | "delivery" | "consumer" | "bulk_action";
            /**
             * @description The field that matches the text.
             * @enum {string}
             */
            matchedBy: "notification_id" | "delivery_id" | "consumer_id" | "bulk_action_id" | "payment_id" | "trace_number" | "imad" | "external_id" | "consumer_name";
            /** @description Id of the hit: of a payment its payment id, of an event its notification id. */
            id: string;
            /**
             * @description Event type of a payment, an event or a delivery; null for other hits.
             * @enum {string|null}
             */
            eventType: "ach.status" | "wire.status" | null;
            /** @example ACH payment TX-1 */
            title: string;
            /** @example Newest status RETURN, 3 events */
            detail: string;
        };
        SearchDto: {
            hits: components["schemas"]["SearchHitDto"][];
            /** @description Whether there are more hits than returned. */
            moreRecords: boolean;
        };
        StatsPointDto: {
            /**
             * Format: date-time
             * @description Start of the step.
             */
            at: string;
            /** @description Accepted events; for one consumer, the deliveries created for it. */
            accepted: number;
            delivered: number;
            dead: number;
            /** @description Recorded attempts. */
            attempts: number;
            failedAttempts: number;
            /** @description Median time from acceptance to delivery, in milliseconds, rounded up to a histogram bound. Null: none. */
            latencyP50Ms: number | null;
            /** @description 95th percentile of the time from acceptance to delivery, like `latencyP50Ms`. */
            latencyP95Ms: number | null;
        };
        StatsDto: {
            /**
             * @description Length of a step, in seconds; grows with the range.
             * @example 60
             */
            stepSeconds: number;
            /**
             * Format: date-time
             * @description Start of the first step.
             */
            from: string;
            /**
             * Format: date-time
             * @description End of the last step.
             */
            to: string;
            /** @description All steps, including empty ones; at most 1,500. Empty if `from` is not before `to`. */
            points: components["schemas"]["StatsPointDto"][];
        };
        SignInDto: {
            /** @description The API key, as returned when it was created. */
            apiKey: string;
        };
        UseSignInLinkDto: {
            /**
             * @description The part of the link after `#link=`.
             * @example pnl_…
             */
            token: string;
        };
        BrandDto: {
            /** @example Example Bank */
            name: string | null;
            /** @description `#rrggbb`; white text on it is readable. */
            color: string | null;
            /** @description Path of an SVG or PNG image. */
            logo: string | null;
        };
        OpenIdOfferDto: {
            /**
             * @description Completes the button text “Sign in with …”; null: no OpenID provider is configured.
             * @example the bank’s single sign-on
             */
            label: string | null;
            /** @description Name and color of this installation; null: not configured. */
            environment: components["schemas"]["EnvironmentDto"] | null;
            brand: components["schemas"]["BrandDto"];
        };
        OpenIdStartDto: {
            /**
             * Format: uri
             * @description URL of the provider’s sign-in page, to which the browser goes next.
             */
            location: string;
        };
        OpenIdAnswerDto: {
            /**
             * @description The unchanged query of the URL to which the provider redirected the browser.
             * @example code=…&state=…
             */
            answer: string;
        };
        ProblemDto: {
            /**
             * @description `about:blank`: the status is the whole type.
             * @example about:blank
             */
            type: string;
            /** @example Unprocessable Content */
            title: string;
            /** @example 422 */
            status: number;
            /** @description The fault and what to do. */
            detail: string;
            /**
             * Format: uuid
             * @description Finds the request in the logs.
             */
            requestId: string;
            /** @description Every fault at once. */
            errors?: components["schemas"]["FieldFaultDto"][];
            /** @description Matching deliveries, when more than `expectedCount`; null when they could not be counted in time. */
            matched?: number | null;
            /**
             * @description The reason, for programs, where the status has several.
             * @enum {string}
             */
            code?: "cancelled_by_bank";
        };
        AchStatusChangeDto: {
            /**
             * @description Type of the event, by the kind of the payment. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            eventType: "ach.status";
            /**
             * @description When the event occurred; ISO 8601 with an offset, at most 5 minutes ahead. Sent to consumers in UTC.
             * @example 2025-11-20T09:30:00.000Z
             */
            eventDateTime: string;
            data: components["schemas"]["AchDataDto"];
            /** @description Narrows the recipients to these consumers (ids or externalIds). */
            consumers?: string[];
        };
        WireStatusChangeDto: {
            /**
             * @description Type of the event, by the kind of the payment. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            eventType: "wire.status";
            /**
             * @description When the event occurred; ISO 8601 with an offset, at most 5 minutes ahead. Sent to consumers in UTC.
             * @example 2025-11-20T09:30:00.000Z
             */
            eventDateTime: string;
            data: components["schemas"]["WireDataDto"];
            /** @description Narrows the recipients to these consumers (ids or externalIds). */
            consumers?: string[];
        };
        AchBatchItemDto: {
            /**
             * @description Type of the event, by the kind of the payment. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            eventType: "ach.status";
            /**
             * @description When the event occurred; ISO 8601 with an offset, at most 5 minutes ahead. Sent to consumers in UTC.
             * @example 2025-11-20T09:30:00.000Z
             */
            eventDateTime: string;
            data: components["schemas"]["AchDataDto"];
            /** @description Narrows the recipients to these consumers (ids or externalIds). */
            consumers?: string[];
            /**
             * @description Identifies the request within this producer for 7 days; without it, the content itself is the key.
             * @example hub-4711
             */
            idempotencyKey?: string;
        };
        WireBatchItemDto: {
            /**
             * @description Type of the event, by the kind of the payment. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            eventType: "wire.status";
            /**
             * @description When the event occurred; ISO 8601 with an offset, at most 5 minutes ahead. Sent to consumers in UTC.
             * @example 2025-11-20T09:30:00.000Z
             */
            eventDateTime: string;
            data: components["schemas"]["WireDataDto"];
            /** @description Narrows the recipients to these consumers (ids or externalIds). */
            consumers?: string[];
            /**
             * @description Identifies the request within this producer for 7 days; without it, the content itself is the key.
             * @example hub-4711
             */
            idempotencyKey?: string;
        };
        AchAccount: {
            /** @description Type of account. */
            accountType: string;
            /** @description Account identifier. */
            accountId: string;
        };
        AchParty: {
            /** @description ACH company identifier of the party. */
            achCompanyId?: string;
            /** @description ACH company name of the party. */
            achCompanyName?: string;
            /** @description Company name of the party. */
            name?: string;
            /** @description Routing number of the party's financial institution. */
            financialInstitution?: string;
            /** @description The party's account. */
            account: components["schemas"]["AchAccount"];
        };
        ReturnNoc: {
            /**
             * @description Notification Of Change, or return.
             * @enum {string}
             */
            type: "NOC" | "Return";
            /** @description Return or NOC reason code. */
            reasonCode: string;
            /** @description Return or NOC reason description. */
            reasonDescription: string;
        };
        AchEventInfo: {
            /** @description Unique identifier of the transaction. */
            transactionId: string;
            /**
             * @description The new status of the payment.
             * @enum {string}
             */
            status: "INITIATED" | "PROCESSED" | "NOTICE_OF_CHANGE" | "RETURN";
            /**
             * @description Direction of the payment.
             * @enum {string}
             */
            transactionType: "CREDIT" | "DEBIT";
            /** @description Standard Entry Class code. */
            standardEntryClass: string;
            /**
             * Format: date
             * @description Date of the transfer.
             */
            transferDate?: string;
            /** @description Trace number of the ACH transaction; unique only within its batch. */
            traceNumber?: string;
            /** @description True when the transaction's pre-note must be processed via EDI only. */
            preNote: boolean;
            /** @description Decimal amount as text. */
            amount: string;
            /** @description The party that pays. */
            debtor: components["schemas"]["AchParty"];
            /** @description The party that is paid. */
            creditor: components["schemas"]["AchParty"];
            /** @description Only after a Notification Of Change or a return. */
            returnNOC?: components["schemas"]["ReturnNoc"];
        };
        AchData: {
            /** @description The ACH payment and its new status. */
            achEventInfo: components["schemas"]["AchEventInfo"];
        };
        /** @description Fields are added, never changed or removed: ignore what you do not know. A list of values can gain one. */
        AchNotification: {
            /** @description Identifies the notification, and is the same in every attempt: process it only once. */
            notificationId: string;
            /**
             * @description Type of the event, by the kind of the payment.
             * @enum {string}
             */
            eventType: "ach.status";
            /**
             * Format: date-time
             * @description When the status changed, in UTC with milliseconds.
             */
            eventDateTime: string;
            /** @description The payment and its new status. */
            data: components["schemas"]["AchData"];
        };
        ExceptionInfo: {
            /** @description Wire exception code. */
            exceptionCode: string;
            /** @description Wire exception description. */
            exceptionDescription: string;
        };
        WireInfo: {
            /** @description Two decimals and a leading 0 below one dollar. */
            paymentAmount: string;
            /** @description Reference of the wire. */
            referenceId: string | "Not Provided";
            /** @description Passed unchanged through the whole interbank chain. */
            endToEndId?: string;
        };
        OriginatorInfo: {
            /** @description Account number associated with the wire company. */
            accountNumber: string;
            /**
             * @description D (Deposit) or S (Savings).
             * @enum {string}
             */
            accountType: "D" | "S";
            /** @description Account holder name. */
            name: string;
            /** @description Wire company identifier of the originator. */
            wireCompanyId?: string;
            /** @description Wire company name of the originator. */
            wireCompanyName?: string;
        };
        WireAddress: {
            /** @description Street, number and any other lines above the city. */
            addressLine?: string;
            /** @description City. */
            city?: string;
            /** @description State, where there is one. */
            state?: string;
            /** @description Postal code. */
            postalCode?: string;
        };
        InstitutionInfo: {
            /** @description Name of the institution. */
            name?: string;
            /** @description Routing number of the institution. */
            routingNumber?: string;
            /** @description Address of the institution. */
            address?: components["schemas"]["WireAddress"];
        };
        BeneficiaryInfo: {
            /** @description Receiving party account number. */
            accountNumber: string;
            /**
             * @description D (Deposit) or S (Savings).
             * @enum {string}
             */
            accountType: "D" | "S";
            /** @description Account holder name. */
            name: string;
            /** @description The beneficiary's address. */
            address: components["schemas"]["WireAddress"];
            /** @description The beneficiary's bank. */
            institutionInfo: components["schemas"]["InstitutionInfo"];
        };
        OriginalWire: {
            /** @description Amount and references. */
            wireInfo: components["schemas"]["WireInfo"];
            /** @description Who pays. */
            originatorInfo: components["schemas"]["OriginatorInfo"];
            /** @description Who is paid. */
            beneficiaryInfo: components["schemas"]["BeneficiaryInfo"];
            /** @description What the payment is for. */
            remittanceInformation?: string;
        };
        WireEventInfo: {
            /** @description Payment key generated when the wire was created. */
            paymentId?: string;
            /** @description One of Review, Send Ready, Reject, Error, Exception, Complete, or another that the bank uses. */
            status?: string;
            /** @description Exceptions, in the producer's order. */
            exceptionInfo?: components["schemas"]["ExceptionInfo"][];
            /** @description Input Message Accountability Data. */
            IMAD?: string;
            /** @description Output Message Accountability Data. */
            OMAD?: string;
            /** @description Wire transfer payment detail. */
            originalWire?: components["schemas"]["OriginalWire"];
        };
        WireData: {
            /** @description The wire payment and its new status. */
            wireEventInfo: components["schemas"]["WireEventInfo"];
        };
        /** @description Fields are added, never changed or removed: ignore what you do not know. A list of values can gain one. */
        WireNotification: {
            /** @description Identifies the notification, and is the same in every attempt: process it only once. */
            notificationId: string;
            /**
             * @description Type of the event, by the kind of the payment.
             * @enum {string}
             */
            eventType: "wire.status";
            /**
             * Format: date-time
             * @description When the status changed, in UTC with milliseconds.
             */
            eventDateTime: string;
            /** @description The payment and its new status. */
            data: components["schemas"]["WireData"];
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
                /** @description Records to skip from the start. */
                offset?: number;
                /** @description Records to return. */
                limit?: number;
                /** @description A part of the name, case-insensitive. */
                name?: string;
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
            /** @description A parameter is invalid; `errors` names it. */
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
            /** @description The caller’s roles do not allow this, or another site’s page sent a request with the session. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json, or it is compressed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Too many requests with this key or session or from this address, or too many open lists; retry as `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description PostgreSQL is unreachable or busy. Send the request again after `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The query took too long; narrow the filter. */
            504: {
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
            /** @description The body is not JSON. */
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
            /** @description The caller’s roles do not allow this, or another site’s page sent a request with the session. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json, or it is compressed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The content is invalid; `errors` names every invalid field. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Too many requests with this key or session or from this address, or too many open lists; retry as `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description PostgreSQL is unreachable or busy. The change may or may not have been made: check before you repeat it. */
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
            /** @description The URL is not validly percent-encoded. */
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
            /** @description The caller’s roles do not allow this, or another site’s page sent a request with the session. */
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
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description A part of the URL’s path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json, or it is compressed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Too many requests with this key or session or from this address, or too many open lists; retry as `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description PostgreSQL is unreachable or busy. The change may or may not have been made: check before you repeat it. */
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
            /** @description The caller’s roles do not allow this, or another site’s page sent a request with the session. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json, or it is compressed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Too many requests with this key or session or from this address, or too many open lists; retry as `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description PostgreSQL is unreachable or busy. Send the request again after `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The query took too long; narrow the filter. */
            504: {
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
                /** @description Records to skip from the start. */
                offset?: number;
                /** @description Records to return. */
                limit?: number;
                eventType?: "ach.status" | "wire.status";
                /** @description ACH `transactionId` or wire `paymentId`. */
                paymentId?: string;
                status?: string;
                traceNumber?: string;
                imad?: string;
                /** @description `true`: only events without any recipient. */
                unrouted?: boolean;
                /** @description Accepted at or after this instant. */
                from?: string;
                /** @description Accepted before this instant. */
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
            /** @description A parameter is invalid; `errors` names it. */
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
            /** @description The caller’s roles do not allow this, or another site’s page sent a request with the session. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json, or it is compressed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Too many requests with this key or session or from this address, or too many open lists; retry as `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description PostgreSQL is unreachable or busy. Send the request again after `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The query took too long; narrow the filter. */
            504: {
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
            header?: {
                /** @description Names the request within this producer, for 7 days. */
                "Idempotency-Key"?: string;
                /** @description The trace that the request belongs to (W3C Trace Context). It is passed on to the consumers; a malformed one is ignored. */
                traceparent?: string;
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
            /** @description The caller’s roles do not allow this, or another site’s page sent a request with the session. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
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
            /** @description Too many requests with this key or session or from this address, or too many open lists; retry as `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description PostgreSQL is unreachable or there are too many concurrent changes; nothing is half-done. Send the same request again after `Retry-After`. */
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
            header?: {
                /** @description The trace that the request belongs to (W3C Trace Context). It is passed on to the consumers; a malformed one is ignored. */
                traceparent?: string;
            };
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
            /** @description The caller’s roles do not allow this, or another site’s page sent a request with the session. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
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
            /** @description Too many requests with this key or session or from this address, or too many open lists; retry as `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description PostgreSQL is unreachable or there are too many concurrent changes; nothing is half-done. Send the same request again after `Retry-After`. */
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
            /** @description The URL is not validly percent-encoded. */
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
            /** @description The caller’s roles do not allow this, or another site’s page sent a request with the session. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description There is no such event, or another producer posted it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description A part of the URL’s path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json, or it is compressed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Too many requests with this key or session or from this address, or too many open lists; retry as `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description PostgreSQL is unreachable or busy. Send the request again after `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The query took too long; narrow the filter. */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
        };
    };
    readEnvelope: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                notificationId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["OptionalReasonDto"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EnvelopeDto"];
                };
            };
            /** @description The body is not JSON. */
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
            /** @description The caller’s roles do not allow this, or another site’s page sent a request with the session. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description There is no such event. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description A part of the URL’s path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json, or it is compressed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The content is invalid; `errors` names every invalid field. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Too many requests with this key or session or from this address, or too many open lists; retry as `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description PostgreSQL is unreachable or busy. The change may or may not have been made: check before you repeat it. */
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
    sendEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                notificationId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendEventDto"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventSentDto"];
                };
            };
            /** @description The body is not JSON. */
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
            /** @description The caller’s roles do not allow this, or another site’s page sent a request with the session. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description There is no such event. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description A consumer has a delivery of this event already; retry that one instead. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description A part of the URL’s path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json, or it is compressed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description A consumer is unknown or must not get the event; `errors` names it. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Too many requests with this key or session or from this address, or too many open lists; retry as `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description PostgreSQL is unreachable or busy. The change may or may not have been made: check before you repeat it. */
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
    sendUnrouted: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendUnroutedDto"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnroutedSentDto"];
                };
            };
            /** @description The body is not JSON. */
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
            /** @description The caller’s roles do not allow this, or another site’s page sent a request with the session. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json, or it is compressed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The content is invalid; `errors` names every invalid field. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Too many requests with this key or session or from this address, or too many open lists; retry as `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description PostgreSQL is unreachable or busy. The change may or may not have been made: check before you repeat it. */
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
    markUnroutedSeen: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UnroutedSeenDto"];
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The body is not JSON. */
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
            /** @description The caller’s roles do not allow this, or another site’s page sent a request with the session. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json, or it is compressed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The content is invalid; `errors` names every invalid field. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Too many requests with this key or session or from this address, or too many open lists; retry as `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description PostgreSQL is unreachable or busy. The change may or may not have been made: check before you repeat it. */
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
    listDeliveries: {
        parameters: {
            query?: {
                /** @description Records to skip from the start. */
                offset?: number;
                /** @description Records to return. */
                limit?: number;
                state?: "queued" | "sending" | "held" | "delivered" | "dead" | "cancelled";
                /** @description `false`: still open, which means pending, or dead and not settled. Cancelled or settled deliveries are included only if `state` or `settled` requests them. */
                delivered?: boolean;
                /** @description Only what was not delivered, whatever the reason: waiting, dead, settled or cancelled. */
                missed?: true;
                /** @description Without what is cancelled or settled: delivered or still open deliveries. */
                openOrDelivered?: true;
                /** @description Only what waits: scheduled, being sent or held. */
                waiting?: true;
                /** @description Dead deliveries only: settled by a person (`true`), or still open (`false`). */
                settled?: boolean;
                /** @description The payment's status that the notification reports, as the producer wrote it. */
                status?: string;
                consumerId?: string;
                eventType?: "ach.status" | "wire.status";
                paymentId?: string;
                notificationId?: string;
                /** @description Outcome of the last attempt. */
                outcome?: "acknowledged" | "http_status" | "redirect" | "timeout" | "dns" | "connect" | "tls" | "reset" | "blocked_address" | "invalid_response";
                /** @description HTTP status of the last attempt. */
                httpStatus?: number;
                holdReason?: "paused" | "circuit" | "concurrency" | "order" | "secret" | "record";
                /** @description Created at or after this instant. */
                from?: string;
                /** @description Created before this instant. */
                to?: string;
                /** @description A complete payment id, trace number or IMAD. Only the newest 500 events that have it as one of these are searched. */
                reference?: string;
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
            /** @description A parameter is invalid; `errors` names it. */
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
            /** @description The caller’s roles do not allow this, or another site’s page sent a request with the session. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json, or it is compressed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Too many requests with this key or session or from this address, or too many open lists; retry as `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description PostgreSQL is unreachable or busy. Send the request again after `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The query took too long; narrow the filter. */
            504: {
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
            /** @description The URL is not validly percent-encoded. */
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
            /** @description The caller’s roles do not allow this, or another site’s page sent a request with the session. */
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
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description A part of the URL’s path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json, or it is compressed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Too many requests with this key or session or from this address, or too many open lists; retry as `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description PostgreSQL is unreachable or busy. Send the request again after `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The query took too long; narrow the filter. */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
        };
    };
    retryDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RetryDeliveryDto"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryDto"];
                };
            };
            /** @description The body is not JSON. */
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
            /** @description The caller’s roles do not allow this, or another site’s page sent a request with the session. */
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
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description It has been delivered and `force` is not set, its consumer is removed, its event is no longer kept, or the bank has cancelled it (`code` is `cancelled_by_bank`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description A part of the URL’s path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json, or it is compressed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The content is invalid; `errors` names every invalid field. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Too many requests with this key or session or from this address, or too many open lists; retry as `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description PostgreSQL is unreachable or busy. The change may or may not have been made: check before you repeat it. */
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
    cancelDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["OptionalReasonDto"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryDto"];
                };
            };
            /** @description The body is not JSON. */
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
            /** @description The caller’s roles do not allow this, or another site’s page sent a request with the session. */
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
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description It has already been delivered. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description A part of the URL’s path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json, or it is compressed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The content is invalid; `errors` names every invalid field. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Too many requests with this key or session or from this address, or too many open lists; retry as `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description PostgreSQL is unreachable or busy. The change may or may not have been made: check before you repeat it. */
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
    listBulkActions: {
        parameters: {
            query?: {
                /** @description Records to skip from the start. */
                offset?: number;
                /** @description Records to return. */
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
                    "application/json": components["schemas"]["BulkActionListDto"];
                };
            };
            /** @description A parameter is invalid; `errors` names it. */
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
            /** @description The caller’s roles do not allow this, or another site’s page sent a request with the session. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json, or it is compressed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Too many requests with this key or session or from this address, or too many open lists; retry as `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description PostgreSQL is unreachable or busy. Send the request again after `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The query took too long; narrow the filter. */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
        };
    };
    startBulkAction: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StartBulkActionDto"];
            };
        };
        responses: {
            /** @description With `dryRun`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkPreviewDto"];
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkActionDto"];
                };
            };
            /** @description The body is not JSON. */
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
            /** @description The caller’s roles do not allow this, or another site’s page sent a request with the session. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description More than `expectedCount` match, or it took too long to count; see `matched`. Nothing was started. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json, or it is compressed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The content is invalid; `errors` names every invalid field. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Too many requests with this key or session or from this address, or too many open lists; retry as `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description PostgreSQL is unreachable or busy. The change may or may not have been made: check before you repeat it. */
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
    readBulkAction: {
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
                    "application/json": components["schemas"]["BulkActionDto"];
                };
            };
            /** @description The URL is not validly percent-encoded. */
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
            /** @description The caller’s roles do not allow this, or another site’s page sent a request with the session. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description There is no such bulk action. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description A part of the URL’s path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json, or it is compressed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Too many requests with this key or session or from this address, or too many open lists; retry as `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description PostgreSQL is unreachable or busy. Send the request again after `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The query took too long; narrow the filter. */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
        };
    };
    stopBulkAction: {
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
                    "application/json": components["schemas"]["BulkActionDto"];
                };
            };
            /** @description The body is not JSON. */
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
            /** @description The caller’s roles do not allow this, or another site’s page sent a request with the session. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description There is no such bulk action. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description It has finished or failed. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description A part of the URL’s path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json, or it is compressed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The content is invalid; `errors` names every invalid field. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Too many requests with this key or session or from this address, or too many open lists; retry as `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description PostgreSQL is unreachable or busy. The change may or may not have been made: check before you repeat it. */
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
    listChannels: {
        parameters: {
            query?: {
                /** @description Records to skip from the start. */
                offset?: number;
                /** @description Records to return. */
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
                    "application/json": components["schemas"]["ChannelListDto"];
                };
            };
            /** @description A parameter is invalid; `errors` names it. */
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
            /** @description The caller’s roles do not allow this, or another site’s page sent a request with the session. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json, or it is compressed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Too many requests with this key or session or from this address, or too many open lists; retry as `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description PostgreSQL is unreachable or busy. Send the request again after `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The query took too long; narrow the filter. */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
        };
    };
    createChannel: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateChannelDto"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChannelCreatedDto"];
                };
            };
            /** @description The body is not JSON. */
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
            /** @description The caller’s roles do not allow this, or another site’s page sent a request with the session. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json, or it is compressed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The content is invalid; `errors` names every invalid field. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Too many requests with this key or session or from this address, or too many open lists; retry as `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description PostgreSQL is unreachable or busy. The change may or may not have been made: check before you repeat it. */
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
    readChannel: {
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
                    "application/json": components["schemas"]["ChannelDto"];
                };
            };
            /** @description The URL is not validly percent-encoded. */
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
            /** @description The caller’s roles do not allow this, or another site’s page sent a request with the session. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description There is no such channel. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description A part of the URL’s path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json, or it is compressed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Too many requests with this key or session or from this address, or too many open lists; retry as `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description PostgreSQL is unreachable or busy. Send the request again after `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The query took too long; narrow the filter. */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
        };
    };
    removeChannel: {
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
            /** @description The URL is not validly percent-encoded. */
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
            /** @description The caller’s roles do not allow this, or another site’s page sent a request with the session. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description There is no such channel. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description A part of the URL’s path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json, or it is compressed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Too many requests with this key or session or from this address, or too many open lists; retry as `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description PostgreSQL is unreachable or busy. The change may or may not have been made: check before you repeat it. */
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
    changeChannel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ChangeChannelDto"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChannelDto"];
                };
            };
            /** @description The body is not JSON. */
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
            /** @description The caller’s roles do not allow this, or another site’s page sent a request with the session. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description There is no such channel. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Its secrets cannot be decrypted; `detail` says what to do. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description A part of the URL’s path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json, or it is compressed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The content is invalid; `errors` names every invalid field. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Too many requests with this key or session or from this address, or too many open lists; retry as `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description PostgreSQL is unreachable or busy. The change may or may not have been made: check before you repeat it. */
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
    testChannel: {
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
                    "application/json": components["schemas"]["ChannelTestedDto"];
                };
            };
            /** @description The URL is not validly percent-encoded. */
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
            /** @description The caller’s roles do not allow this, or another site’s page sent a request with the session. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description There is no such channel. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Its secrets cannot be decrypted; `detail` says what to do. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description A part of the URL’s path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json, or it is compressed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Too many requests with this key or session or from this address, or too many open lists; retry as `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description PostgreSQL is unreachable or busy. The change may or may not have been made: check before you repeat it. */
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
    listConsumers: {
        parameters: {
            query?: {
                /** @description Records to skip from the start. */
                offset?: number;
                /** @description Records to return. */
                limit?: number;
                /** @description A part of the name, the external id or the contact, in upper or lower case. */
                search?: string;
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
            /** @description A parameter is invalid; `errors` names it. */
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
            /** @description The caller’s roles do not allow this, or another site’s page sent a request with the session. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json, or it is compressed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Too many requests with this key or session or from this address, or too many open lists; retry as `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description PostgreSQL is unreachable or busy. Send the request again after `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The query took too long; narrow the filter. */
            504: {
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
            /** @description The body is not JSON. */
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
            /** @description The caller’s roles do not allow this, or another site’s page sent a request with the session. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
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
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json, or it is compressed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The content is invalid; `errors` names every invalid field. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Too many requests with this key or session or from this address, or too many open lists; retry as `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description PostgreSQL is unreachable or busy. The change may or may not have been made: check before you repeat it. */
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
            /** @description The URL is not validly percent-encoded. */
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
            /** @description The caller’s roles do not allow this, or another site’s page sent a request with the session. */
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
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description A part of the URL’s path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json, or it is compressed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Too many requests with this key or session or from this address, or too many open lists; retry as `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description PostgreSQL is unreachable or busy. Send the request again after `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The query took too long; narrow the filter. */
            504: {
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
            /** @description The URL is not validly percent-encoded. */
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
            /** @description The caller’s roles do not allow this, or another site’s page sent a request with the session. */
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
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description A part of the URL’s path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json, or it is compressed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Too many requests with this key or session or from this address, or too many open lists; retry as `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description PostgreSQL is unreachable or busy. The change may or may not have been made: check before you repeat it. */
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
    changeConsumer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
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
            /** @description The body is not JSON. */
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
            /** @description The caller’s roles do not allow this, or another site’s page sent a request with the session. */
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
            /** @description The request did not arrive in time. */
            408: {
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
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description A part of the URL’s path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json, or it is compressed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The content is invalid; `errors` names every invalid field. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Too many requests with this key or session or from this address, or too many open lists; retry as `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description PostgreSQL is unreachable or busy. The change may or may not have been made: check before you repeat it. */
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
                "application/json": components["schemas"]["PauseConsumerDto"];
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
            /** @description The body is not JSON. */
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
            /** @description The caller’s roles do not allow this, or another site’s page sent a request with the session. */
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
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description A part of the URL’s path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json, or it is compressed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The content is invalid; `errors` names every invalid field. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Too many requests with this key or session or from this address, or too many open lists; retry as `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description PostgreSQL is unreachable or busy. The change may or may not have been made: check before you repeat it. */
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
            /** @description The body is not JSON. */
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
            /** @description The caller’s roles do not allow this, or another site’s page sent a request with the session. */
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
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description A part of the URL’s path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json, or it is compressed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The content is invalid; `errors` names every invalid field. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Too many requests with this key or session or from this address, or too many open lists; retry as `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description PostgreSQL is unreachable or busy. The change may or may not have been made: check before you repeat it. */
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
    listConsumerKeys: {
        parameters: {
            query?: {
                /** @description Records to skip from the start. */
                offset?: number;
                /** @description Records to return. */
                limit?: number;
            };
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
                    "application/json": components["schemas"]["ApiKeyListDto"];
                };
            };
            /** @description A parameter is invalid; `errors` names it. */
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
            /** @description The caller’s roles do not allow this, or another site’s page sent a request with the session. */
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
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description A part of the URL’s path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json, or it is compressed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Too many requests with this key or session or from this address, or too many open lists; retry as `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description PostgreSQL is unreachable or busy. Send the request again after `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The query took too long; narrow the filter. */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
        };
    };
    createConsumerKey: {
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
                "application/json": components["schemas"]["CreateConsumerKeyDto"];
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
            /** @description The body is not JSON. */
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
            /** @description The caller’s roles do not allow this, or another site’s page sent a request with the session. */
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
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description A part of the URL’s path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json, or it is compressed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The content is invalid; `errors` names every invalid field. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Too many requests with this key or session or from this address, or too many open lists; retry as `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description PostgreSQL is unreachable or busy. The change may or may not have been made: check before you repeat it. */
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
    revokeConsumerKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                keyId: string;
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
            /** @description The URL is not validly percent-encoded. */
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
            /** @description The caller’s roles do not allow this, or another site’s page sent a request with the session. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The consumer has no such key. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description A part of the URL’s path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json, or it is compressed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Too many requests with this key or session or from this address, or too many open lists; retry as `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description PostgreSQL is unreachable or busy. The change may or may not have been made: check before you repeat it. */
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
    listCredentials: {
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
                    "application/json": components["schemas"]["CredentialListDto"];
                };
            };
            /** @description The URL is not validly percent-encoded. */
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
            /** @description The caller’s roles do not allow this, or another site’s page sent a request with the session. */
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
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description A part of the URL’s path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json, or it is compressed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Too many requests with this key or session or from this address, or too many open lists; retry as `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description PostgreSQL is unreachable or busy. Send the request again after `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The query took too long; narrow the filter. */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
        };
    };
    addCredentials: {
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
                "application/json": components["schemas"]["AddCredentialsDto"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CredentialsAddedDto"];
                };
            };
            /** @description The body is not JSON. */
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
            /** @description The caller’s roles do not allow this, or another site’s page sent a request with the session. */
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
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Another version is already coming, or the version in force cannot be decrypted. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description A part of the URL’s path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json, or it is compressed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The content is invalid; `errors` names every invalid field. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Too many requests with this key or session or from this address, or too many open lists; retry as `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description PostgreSQL is unreachable or busy. The change may or may not have been made: check before you repeat it. */
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
    activateCredentials: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                version: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["OptionalReasonDto"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CredentialVersionDto"];
                };
            };
            /** @description The body is not JSON. */
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
            /** @description The caller’s roles do not allow this, or another site’s page sent a request with the session. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description There is no such consumer, or no such version of its credentials. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The version cannot be decrypted, or, for the consumer’s own people, has another client certificate. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description A part of the URL’s path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json, or it is compressed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The content is invalid; `errors` names every invalid field. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Too many requests with this key or session or from this address, or too many open lists; retry as `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description PostgreSQL is unreachable or busy. The change may or may not have been made: check before you repeat it. */
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
    dropCredentials: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                version: number;
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
            /** @description The URL is not validly percent-encoded. */
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
            /** @description The caller’s roles do not allow this, or another site’s page sent a request with the session. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description There is no such consumer, or no such version of its credentials. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The version is or was in force; only a coming version can be dropped. Or, for the consumer’s own people, it has another client certificate. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description A part of the URL’s path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json, or it is compressed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Too many requests with this key or session or from this address, or too many open lists; retry as `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description PostgreSQL is unreachable or busy. The change may or may not have been made: check before you repeat it. */
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
    explainSignature: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ExplainSignatureDto"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignatureExplanationDto"] | components["schemas"]["SignatureComparisonDto"];
                };
            };
            /** @description The body is not JSON. */
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
            /** @description The caller’s roles do not allow this, or another site’s page sent a request with the session. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description There is no such consumer, or it has no such delivery or attempt. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Nothing was sent yet, or the secret cannot be decrypted. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description A part of the URL’s path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json, or it is compressed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The content is invalid; `errors` names every invalid field. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Too many requests with this key or session or from this address, or too many open lists; retry as `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description PostgreSQL is unreachable or busy. The change may or may not have been made: check before you repeat it. */
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
    listSignInLinks: {
        parameters: {
            query?: {
                /** @description Records to skip from the start. */
                offset?: number;
                /** @description Records to return. */
                limit?: number;
            };
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
                    "application/json": components["schemas"]["SignInLinkListDto"];
                };
            };
            /** @description A parameter is invalid; `errors` names it. */
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
            /** @description The caller’s roles do not allow this, or another site’s page sent a request with the session. */
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
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description A part of the URL’s path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json, or it is compressed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Too many requests with this key or session or from this address, or too many open lists; retry as `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description PostgreSQL is unreachable or busy. Send the request again after `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The query took too long; narrow the filter. */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
        };
    };
    createSignInLink: {
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
                "application/json": components["schemas"]["CreateSignInLinkDto"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignInLinkCreatedDto"];
                };
            };
            /** @description The body is not JSON. */
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
            /** @description The caller’s roles do not allow this, or another site’s page sent a request with the session. */
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
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description A part of the URL’s path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json, or it is compressed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The content is invalid; `errors` names every invalid field. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Too many requests with this key or session or from this address, or too many open lists; retry as `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description PostgreSQL is unreachable or busy. The change may or may not have been made: check before you repeat it. */
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
    revokeSignInLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                linkId: string;
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
            /** @description The URL is not validly percent-encoded. */
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
            /** @description The caller’s roles do not allow this, or another site’s page sent a request with the session. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The consumer has no such link. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description A part of the URL’s path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json, or it is compressed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Too many requests with this key or session or from this address, or too many open lists; retry as `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description PostgreSQL is unreachable or busy. The change may or may not have been made: check before you repeat it. */
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
    listUrlRequests: {
        parameters: {
            query?: {
                /** @description Records to skip from the start. */
                offset?: number;
                /** @description Records to return. */
                limit?: number;
                state?: "waiting" | "approved" | "rejected" | "withdrawn";
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
                    "application/json": components["schemas"]["UrlRequestListDto"];
                };
            };
            /** @description A parameter is invalid; `errors` names it. */
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
            /** @description The caller’s roles do not allow this, or another site’s page sent a request with the session. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json, or it is compressed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Too many requests with this key or session or from this address, or too many open lists; retry as `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description PostgreSQL is unreachable or busy. Send the request again after `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The query took too long; narrow the filter. */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
        };
    };
    approveUrlRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["OptionalReasonDto"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UrlRequestDto"];
                };
            };
            /** @description The body is not JSON. */
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
            /** @description The caller’s roles do not allow this, or another site’s page sent a request with the session. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description There is no such request. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description It was decided or withdrawn, or the consumer’s URL has changed since the request. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description A part of the URL’s path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json, or it is compressed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The content is invalid; `errors` names every invalid field. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Too many requests with this key or session or from this address, or too many open lists; retry as `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description PostgreSQL is unreachable or busy. The change may or may not have been made: check before you repeat it. */
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
    rejectUrlRequest: {
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
                    "application/json": components["schemas"]["UrlRequestDto"];
                };
            };
            /** @description The body is not JSON. */
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
            /** @description The caller’s roles do not allow this, or another site’s page sent a request with the session. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description There is no such request. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description It was decided or withdrawn. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description A part of the URL’s path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json, or it is compressed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The content is invalid; `errors` names every invalid field. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Too many requests with this key or session or from this address, or too many open lists; retry as `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description PostgreSQL is unreachable or busy. The change may or may not have been made: check before you repeat it. */
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
    testConsumer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["TestConsumerDto"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestDeliveryDto"];
                };
            };
            /** @description The body is not JSON. */
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
            /** @description The caller’s roles do not allow this, or another site’s page sent a request with the session. */
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
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description There is no coming version to test, the credentials cannot be decrypted, or a test of the consumer’s own people is under way. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description A part of the URL’s path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json, or it is compressed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The content is invalid; `errors` names every invalid field. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Too many requests with this key or session or from this address, or too many open lists; retry as `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description This process cannot send at the moment, or PostgreSQL is unreachable. */
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
    listFailures: {
        parameters: {
            query?: {
                /** @description Start of the period, inclusive. Absent: 24 hours before `to`. */
                from?: string;
                /** @description End of the period, exclusive. Absent: now. */
                to?: string;
            };
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
                    "application/json": components["schemas"]["FailureListDto"];
                };
            };
            /** @description A parameter is invalid; `errors` names it. */
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
            /** @description The caller’s roles do not allow this, or another site’s page sent a request with the session. */
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
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description A part of the URL’s path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json, or it is compressed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Too many requests with this key or session or from this address, or too many open lists; retry as `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description PostgreSQL is unreachable or busy. Send the request again after `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The query took too long; narrow the filter. */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
        };
    };
    listIssues: {
        parameters: {
            query?: {
                /** @description Records to skip from the start. */
                offset?: number;
                /** @description Records to return. */
                limit?: number;
                /** @description `unresolved`: open or acknowledged. */
                state?: "open" | "acknowledged" | "resolved" | "unresolved";
                kind?: "credentials_broken" | "down" | "paused_unplanned" | "degraded" | "falling_behind" | "dead_not_settled" | "certificate_expiring" | "api_key_expiring";
                consumerId?: string;
                /** @description Opened at or after this instant. */
                from?: string;
                /** @description Opened before this instant. */
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
                    "application/json": components["schemas"]["IssueListDto"];
                };
            };
            /** @description A parameter is invalid; `errors` names it. */
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
            /** @description The caller’s roles do not allow this, or another site’s page sent a request with the session. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json, or it is compressed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Too many requests with this key or session or from this address, or too many open lists; retry as `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description PostgreSQL is unreachable or busy. Send the request again after `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The query took too long; narrow the filter. */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
        };
    };
    readIssue: {
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
                    "application/json": components["schemas"]["IssueDetailDto"];
                };
            };
            /** @description The URL is not validly percent-encoded. */
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
            /** @description The caller’s roles do not allow this, or another site’s page sent a request with the session. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description There is no such issue. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description A part of the URL’s path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json, or it is compressed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Too many requests with this key or session or from this address, or too many open lists; retry as `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description PostgreSQL is unreachable or busy. Send the request again after `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The query took too long; narrow the filter. */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
        };
    };
    acknowledgeIssue: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["AcknowledgeIssueDto"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssueDto"];
                };
            };
            /** @description The body is not JSON. */
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
            /** @description The caller’s roles do not allow this, or another site’s page sent a request with the session. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description There is no such issue. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description It is resolved already. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description A part of the URL’s path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json, or it is compressed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The content is invalid; `errors` names every invalid field. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Too many requests with this key or session or from this address, or too many open lists; retry as `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description PostgreSQL is unreachable or busy. The change may or may not have been made: check before you repeat it. */
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
    resolveIssue: {
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
                    "application/json": components["schemas"]["IssueDto"];
                };
            };
            /** @description The body is not JSON. */
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
            /** @description The caller’s roles do not allow this, or another site’s page sent a request with the session. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description There is no such issue. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description It is resolved already. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description A part of the URL’s path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json, or it is compressed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The content is invalid; `errors` names every invalid field. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Too many requests with this key or session or from this address, or too many open lists; retry as `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description PostgreSQL is unreachable or busy. The change may or may not have been made: check before you repeat it. */
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
    readPortal: {
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
                    "application/json": components["schemas"]["PortalProfileDto"];
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
            /** @description The caller’s roles do not allow this, or another site’s page sent a request with the session. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json, or it is compressed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Too many requests with this key or session or from this address, or too many open lists; retry as `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description PostgreSQL is unreachable or busy. Send the request again after `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The query took too long; narrow the filter. */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
        };
    };
    listPortalKeys: {
        parameters: {
            query?: {
                /** @description Records to skip from the start. */
                offset?: number;
                /** @description Records to return. */
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
                    "application/json": components["schemas"]["PortalKeyListDto"];
                };
            };
            /** @description A parameter is invalid; `errors` names it. */
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
            /** @description The caller’s roles do not allow this, or another site’s page sent a request with the session. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json, or it is compressed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Too many requests with this key or session or from this address, or too many open lists; retry as `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description PostgreSQL is unreachable or busy. Send the request again after `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The query took too long; narrow the filter. */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
        };
    };
    createPortalKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateOwnKeyDto"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PortalKeyCreatedDto"];
                };
            };
            /** @description The body is not JSON. */
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
            /** @description The caller’s roles do not allow this, or another site’s page sent a request with the session. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description There are 20 valid keys. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json, or it is compressed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The content is invalid; `errors` names every invalid field. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Too many requests with this key or session or from this address, or too many open lists; retry as `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description PostgreSQL is unreachable or busy. The change may or may not have been made: check before you repeat it. */
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
    revokePortalKey: {
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
            /** @description The URL is not validly percent-encoded. */
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
            /** @description The caller’s roles do not allow this, or another site’s page sent a request with the session. */
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
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description A part of the URL’s path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json, or it is compressed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Too many requests with this key or session or from this address, or too many open lists; retry as `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description PostgreSQL is unreachable or busy. The change may or may not have been made: check before you repeat it. */
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
    listPortalUrlRequests: {
        parameters: {
            query?: {
                /** @description Records to skip from the start. */
                offset?: number;
                /** @description Records to return. */
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
                    "application/json": components["schemas"]["PortalUrlRequestListDto"];
                };
            };
            /** @description A parameter is invalid; `errors` names it. */
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
            /** @description The caller’s roles do not allow this, or another site’s page sent a request with the session. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json, or it is compressed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Too many requests with this key or session or from this address, or too many open lists; retry as `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description PostgreSQL is unreachable or busy. Send the request again after `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The query took too long; narrow the filter. */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
        };
    };
    makePortalUrlRequest: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MakeUrlRequestDto"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PortalUrlRequestDto"];
                };
            };
            /** @description The body is not JSON. */
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
            /** @description The caller’s roles do not allow this, or another site’s page sent a request with the session. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description A request is waiting, or this is the URL already. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json, or it is compressed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The content is invalid; `errors` names every invalid field. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Too many requests with this key or session or from this address, or too many open lists; retry as `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description PostgreSQL is unreachable or busy. The change may or may not have been made: check before you repeat it. */
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
    withdrawPortalUrlRequest: {
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
            /** @description The URL is not validly percent-encoded. */
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
            /** @description The caller’s roles do not allow this, or another site’s page sent a request with the session. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description There is no such request. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description It has been decided or withdrawn. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description A part of the URL’s path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json, or it is compressed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Too many requests with this key or session or from this address, or too many open lists; retry as `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description PostgreSQL is unreachable or busy. The change may or may not have been made: check before you repeat it. */
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
    readPortalAlerts: {
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
                    "application/json": components["schemas"]["AlertsDto"];
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
            /** @description The caller’s roles do not allow this, or another site’s page sent a request with the session. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json, or it is compressed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Too many requests with this key or session or from this address, or too many open lists; retry as `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description PostgreSQL is unreachable or busy. Send the request again after `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The query took too long; narrow the filter. */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
        };
    };
    choosePortalAlerts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChooseAlertsDto"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertsChosenDto"];
                };
            };
            /** @description The body is not JSON. */
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
            /** @description The caller’s roles do not allow this, or another site’s page sent a request with the session. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json, or it is compressed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The content is invalid; `errors` names every invalid field. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Too many requests with this key or session or from this address, or too many open lists; retry as `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description PostgreSQL is unreachable or busy. The change may or may not have been made: check before you repeat it. */
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
    testPortalAlerts: {
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
                    "application/json": components["schemas"]["AlertsTestedDto"];
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
            /** @description The caller’s roles do not allow this, or another site’s page sent a request with the session. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description There is neither a mail address nor a webhook, or the bank cannot read its secret. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json, or it is compressed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Too many requests with this key or session or from this address, or too many open lists; retry as `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description PostgreSQL is unreachable or busy. The change may or may not have been made: check before you repeat it. */
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
    listPortalReplays: {
        parameters: {
            query?: {
                /** @description Records to skip from the start. */
                offset?: number;
                /** @description Records to return. */
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
                    "application/json": components["schemas"]["ReplayListDto"];
                };
            };
            /** @description A parameter is invalid; `errors` names it. */
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
            /** @description The caller’s roles do not allow this, or another site’s page sent a request with the session. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json, or it is compressed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Too many requests with this key or session or from this address, or too many open lists; retry as `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description PostgreSQL is unreachable or busy. Send the request again after `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The query took too long; narrow the filter. */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
        };
    };
    startPortalReplay: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StartReplayDto"];
            };
        };
        responses: {
            /** @description With `dryRun`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReplayPreviewDto"];
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReplayDto"];
                };
            };
            /** @description The body is not JSON. */
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
            /** @description The caller’s roles do not allow this, or another site’s page sent a request with the session. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description A replay runs, or more than `expectedCount` match (see `matched`). Nothing was started. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json, or it is compressed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The content is invalid; `errors` names every invalid field. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Too many requests with this key or session or from this address, or too many open lists; retry as `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description PostgreSQL is unreachable or busy. The change may or may not have been made: check before you repeat it. */
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
    readPortalReplay: {
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
                    "application/json": components["schemas"]["ReplayDto"];
                };
            };
            /** @description The URL is not validly percent-encoded. */
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
            /** @description The caller’s roles do not allow this, or another site’s page sent a request with the session. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description There is no such replay. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description A part of the URL’s path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json, or it is compressed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Too many requests with this key or session or from this address, or too many open lists; retry as `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description PostgreSQL is unreachable or busy. Send the request again after `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The query took too long; narrow the filter. */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
        };
    };
    stopPortalReplay: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["OptionalReasonDto"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReplayDto"];
                };
            };
            /** @description The body is not JSON. */
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
            /** @description The caller’s roles do not allow this, or another site’s page sent a request with the session. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description There is no such replay. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description It has finished or failed. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description A part of the URL’s path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json, or it is compressed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The content is invalid; `errors` names every invalid field. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Too many requests with this key or session or from this address, or too many open lists; retry as `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description PostgreSQL is unreachable or busy. The change may or may not have been made: check before you repeat it. */
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
    listAudit: {
        parameters: {
            query?: {
                /** @description Records to skip from the start. */
                offset?: number;
                /** @description Records to return. */
                limit?: number;
                /** @description Returns the entries after this id, oldest first: a stream for a SIEM. `0` starts with the first entry. */
                after?: number;
                /** @description A part of the name of an API key or person, case-insensitive; `dispatcher` for the dispatcher’s own entries. */
                actor?: string;
                action?: "consumer.registered" | "consumer.changed" | "consumer.removed" | "consumer.paused" | "consumer.resumed" | "consumer.tested" | "consumer.paused_by_consumer" | "consumer.circuit_opened" | "consumer.circuit_closed" | "consumer.secret_fault" | "consumer.secret_restored" | "credentials.added" | "credentials.activated" | "credentials.dropped" | "credentials.reencrypted" | "signature.explained" | "delivery.retried" | "delivery.cancelled" | "event.sent" | "event.envelope-read" | "unrouted.seen" | "bulk-action.started" | "bulk-action.stopped" | "bulk-action.finished" | "sending.paused" | "sending.resumed" | "api-key.created" | "api-key.revoked" | "channel.created" | "channel.changed" | "channel.removed" | "channel.tested" | "alerts.changed" | "alerts.tested" | "issue.acknowledged" | "issue.resolved" | "sign-in-link.created" | "sign-in-link.used" | "sign-in-link.revoked" | "url-request.made" | "url-request.approved" | "url-request.rejected" | "url-request.withdrawn";
                /** @description Kind and id. Callers without the role admin must name one consumer: `consumer:<id>`. */
                target?: string;
                /** @description Entries at or after this instant. */
                from?: string;
                /** @description Entries before this instant. */
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
                    "application/json": components["schemas"]["AuditListDto"];
                };
            };
            /** @description A parameter is invalid, or too many entries match for one export; `errors` names the parameter. */
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
            /** @description The caller’s roles do not allow this, or another site’s page sent a request with the session. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json, or it is compressed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Too many requests with this key or session or from this address, or too many open lists; retry as `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description PostgreSQL is unreachable or busy. Send the request again after `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The query took too long; narrow the filter. */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
        };
    };
    listNotifications: {
        parameters: {
            query?: {
                /** @description Records to skip from the start. */
                offset?: number;
                /** @description Records to return. */
                limit?: number;
                eventType?: "ach.status" | "wire.status";
                /** @description Start of the period in which the notifications were created, inclusive. Absent: 90 days ago. */
                from?: string;
                /** @description End of this period, exclusive. */
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
                    "application/json": components["schemas"]["NotificationListDto"];
                };
            };
            /** @description A parameter is invalid; `errors` names it. */
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
            /** @description The caller’s roles do not allow this, or another site’s page sent a request with the session. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json, or it is compressed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Too many requests with this key or session or from this address, or too many open lists; retry as `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description PostgreSQL is unreachable or busy. Send the request again after `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The query took too long; narrow the filter. */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
        };
    };
    listPayments: {
        parameters: {
            query?: {
                /** @description Records to skip from the start. */
                offset?: number;
                /** @description Records to return. */
                limit?: number;
                kind?: "ach" | "wire";
                /** @description ACH `transactionId` or wire `paymentId`; compared exactly. */
                paymentId?: string;
                /** @description Status of the newest status change. */
                status?: string;
                /** @description Only payments of which this consumer has a delivery. */
                consumerId?: string;
                /** @description The newest status was accepted at or after this instant. */
                from?: string;
                /** @description The newest status was accepted before this instant. */
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
                    "application/json": components["schemas"]["PaymentListDto"];
                };
            };
            /** @description A parameter is invalid; `errors` names it. */
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
            /** @description The caller’s roles do not allow this, or another site’s page sent a request with the session. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json, or it is compressed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Too many requests with this key or session or from this address, or too many open lists; retry as `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description PostgreSQL is unreachable or busy. Send the request again after `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The query took too long; narrow the filter. */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
        };
    };
    readPayment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                kind: "ach" | "wire";
                /** @description ACH `transactionId` or wire `paymentId`. */
                paymentId: string;
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
                    "application/json": components["schemas"]["PaymentDetailDto"];
                };
            };
            /** @description The URL is not validly percent-encoded. */
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
            /** @description The caller’s roles do not allow this, or another site’s page sent a request with the session. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description There is no such payment, or no status of it is the caller’s. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description A part of the URL’s path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json, or it is compressed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Too many requests with this key or session or from this address, or too many open lists; retry as `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description PostgreSQL is unreachable or busy. Send the request again after `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The query took too long; narrow the filter. */
            504: {
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
            /** @description The body is not JSON. */
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
            /** @description The caller’s roles do not allow this, or another site’s page sent a request with the session. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json, or it is compressed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The content is invalid; `errors` names every invalid field. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Too many requests with this key or session or from this address, or too many open lists; retry as `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description PostgreSQL is unreachable or busy. The change may or may not have been made: check before you repeat it. */
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
            /** @description The body is not JSON. */
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
            /** @description The caller’s roles do not allow this, or another site’s page sent a request with the session. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json, or it is compressed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The content is invalid; `errors` names every invalid field. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Too many requests with this key or session or from this address, or too many open lists; retry as `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description PostgreSQL is unreachable or busy. The change may or may not have been made: check before you repeat it. */
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
            /** @description The caller’s roles do not allow this, or another site’s page sent a request with the session. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json, or it is compressed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Too many requests with this key or session or from this address, or too many open lists; retry as `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description PostgreSQL is unreachable or busy. Send the request again after `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The query took too long; narrow the filter. */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
        };
    };
    readOverview: {
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
                    "application/json": components["schemas"]["OverviewDto"];
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
            /** @description The caller’s roles do not allow this, or another site’s page sent a request with the session. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json, or it is compressed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Too many requests with this key or session or from this address, or too many open lists; retry as `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description PostgreSQL is unreachable or busy. Send the request again after `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The query took too long; narrow the filter. */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
        };
    };
    reportConsumers: {
        parameters: {
            query?: {
                /** @description Start of the period of acceptance, inclusive. Absent: 24 hours before `to`. */
                from?: string;
                /** @description End of the period of acceptance, exclusive. Absent: now. */
                to?: string;
                /** @description A delivery is late if it was delivered more than this many milliseconds after acceptance, see `late`. Absent: 60,000. */
                lateAfterMs?: number;
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
                    "application/json": components["schemas"]["ReportDto"];
                };
            };
            /** @description A parameter is wrong, or the time is longer than 31 days; `errors` names it. */
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
            /** @description The caller’s roles do not allow this, or another site’s page sent a request with the session. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json, or it is compressed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Too many requests with this key or session or from this address, or too many open lists; retry as `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description PostgreSQL is unreachable or busy. Send the request again after `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The query took too long; narrow the filter. */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
        };
    };
    search: {
        parameters: {
            query: {
                /** @description A complete id, trace number or IMAD, or the beginning of a consumer’s name. */
                q: string;
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
                    "application/json": components["schemas"]["SearchDto"];
                };
            };
            /** @description A parameter is invalid; `errors` names it. */
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
            /** @description The caller’s roles do not allow this, or another site’s page sent a request with the session. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json, or it is compressed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Too many requests with this key or session or from this address, or too many open lists; retry as `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description PostgreSQL is unreachable or busy. Send the request again after `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The query took too long; narrow the filter. */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
        };
    };
    readStats: {
        parameters: {
            query?: {
                /** @description One consumer; absent: all consumers, or the caller's own. */
                consumerId?: string;
                /** @description Start of the range; absent: one hour before `to`. */
                from?: string;
                /** @description End of the range, exclusive; absent: now. */
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
                    "application/json": components["schemas"]["StatsDto"];
                };
            };
            /** @description A parameter is invalid; `errors` names it. */
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
            /** @description The caller’s roles do not allow this, or another site’s page sent a request with the session. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json, or it is compressed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Too many requests with this key or session or from this address, or too many open lists; retry as `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description PostgreSQL is unreachable or busy. Send the request again after `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The query took too long; narrow the filter. */
            504: {
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
            /** @description The body is not JSON. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
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
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json, or it is compressed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The content is invalid; `errors` names every invalid field. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Too many sign-ins from this address have failed. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description PostgreSQL is unreachable or busy. The change may or may not have been made: check before you repeat it. */
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
            /** @description The caller’s roles do not allow this, or another site’s page sent a request with the session. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json, or it is compressed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Too many requests with this key or session or from this address, or too many open lists; retry as `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description PostgreSQL is unreachable or busy. The change may or may not have been made: check before you repeat it. */
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
    signInByLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UseSignInLinkDto"];
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
            /** @description The body is not JSON. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The link is unknown, used, expired or revoked. */
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
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json, or it is compressed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The content is invalid; `errors` names every invalid field. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Too many sign-ins from this address have failed. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description PostgreSQL is unreachable or busy. The change may or may not have been made: check before you repeat it. */
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
    readOpenIdOffer: {
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
                    "application/json": components["schemas"]["OpenIdOfferDto"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json, or it is compressed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Too many requests with this key or session or from this address, or too many open lists; retry as `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
        };
    };
    beginOpenIdSignIn: {
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
                    "application/json": components["schemas"]["OpenIdStartDto"];
                };
            };
            /** @description Sent by another site’s page, or from another origin than the configured one. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Signing in by OpenID Connect is not set up here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json, or it is compressed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Too many requests with this key or session or from this address, or too many open lists; retry as `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The provider is unreachable or its answer is invalid. Signing in with an API key still works. */
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
    finishOpenIdSignIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OpenIdAnswerDto"];
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
            /** @description The body is not JSON. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The answer belongs to no sign-in of this browser, was already used, or is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The provider’s claim is mapped to no role, or the request was sent by another site’s page. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Signing in by OpenID Connect is not set up here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json, or it is compressed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The content is invalid; `errors` names every invalid field. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Too many sign-ins from this address have failed. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The provider is unreachable or its answer is invalid. Signing in with an API key still works. */
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
    readSchema: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: "ach.status" | "wire.status";
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
                    "application/schema+json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description The URL is not validly percent-encoded. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description There is no such schema. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description A part of the URL’s path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The body is not application/json, or it is compressed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description Too many requests with this key or session or from this address, or too many open lists; retry as `Retry-After` says. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description The URL and the headers are too large together. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
        };
    };
    receiveAchNotification: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description When this attempt was sent: Unix time in seconds, or in milliseconds where that was agreed. Signed.
                 * @example 1763631000
                 */
                "x-timestamp": string;
                /**
                 * @description Name and version of the dispatcher.
                 * @example payment-notification-dispatcher/1.0.0
                 */
                "user-agent": string;
                /** @description The trace that the notification belongs to (W3C Trace Context), if it has one. Not signed. */
                traceparent?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "notificationId": "0199c2f2-7b5e-7c3a-8f00-000000000001",
                 *       "eventType": "ach.status",
                 *       "eventDateTime": "2025-11-20T09:30:00.000Z",
                 *       "data": {
                 *         "achEventInfo": {
                 *           "transactionId": "ACH-2025-000001",
                 *           "status": "NOTICE_OF_CHANGE",
                 *           "transactionType": "CREDIT",
                 *           "standardEntryClass": "PPD",
                 *           "transferDate": "2025-11-20",
                 *           "traceNumber": "021000020000001",
                 *           "preNote": false,
                 *           "amount": "1250.00",
                 *           "debtor": {
                 *             "achCompanyId": "1234567890",
                 *             "achCompanyName": "ACME PAYROLL",
                 *             "name": "Acme Corporation",
                 *             "financialInstitution": "021000021",
                 *             "account": {
                 *               "accountType": "CHECKING",
                 *               "accountId": "000123456789"
                 *             }
                 *           },
                 *           "creditor": {
                 *             "achCompanyId": "9876543210",
                 *             "achCompanyName": "EXAMPLE SUPPLY",
                 *             "name": "Example Supply LLC",
                 *             "financialInstitution": "011401533",
                 *             "account": {
                 *               "accountType": "SAVINGS",
                 *               "accountId": "000987654321"
                 *             }
                 *           },
                 *           "returnNOC": {
                 *             "type": "NOC",
                 *             "reasonCode": "C01",
                 *             "reasonDescription": "Incorrect DFI account number"
                 *           }
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["AchNotification"];
            };
        };
        responses: {
            /** @description Nothing more is sent to this consumer until an operator resumes it. The notification is kept until then. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Acknowledged, if the status line arrives in time: within 10 seconds, or 1 to 30 seconds as agreed. The notification is not sent again. The body of the answer is not used. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not acknowledged, like a redirect, an answer that comes too late, and no answer. The notification is sent again: 13 attempts over about 72 hours unless agreed otherwise. No other answer ends them early. */
            default: {
                headers: {
                    /** @description Lengthens the wait before the next attempt, to at most 24 hours: seconds or a date (RFC 9110). */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveWireNotification: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description When this attempt was sent: Unix time in seconds, or in milliseconds where that was agreed. Signed.
                 * @example 1763631000
                 */
                "x-timestamp": string;
                /**
                 * @description Name and version of the dispatcher.
                 * @example payment-notification-dispatcher/1.0.0
                 */
                "user-agent": string;
                /** @description The trace that the notification belongs to (W3C Trace Context), if it has one. Not signed. */
                traceparent?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "notificationId": "0199c2f2-7b5e-7c3a-8f00-000000000001",
                 *       "eventType": "wire.status",
                 *       "eventDateTime": "2025-11-20T09:30:00.000Z",
                 *       "data": {
                 *         "wireEventInfo": {
                 *           "paymentId": "WIRE-2025-000001",
                 *           "status": "Exception",
                 *           "exceptionInfo": [
                 *             {
                 *               "exceptionCode": "E101",
                 *               "exceptionDescription": "Beneficiary account is closed"
                 *             }
                 *           ],
                 *           "IMAD": "20251120MMQFMP0B000001",
                 *           "OMAD": "20251120MMQFMP0B000002",
                 *           "originalWire": {
                 *             "wireInfo": {
                 *               "paymentAmount": "25000.00",
                 *               "referenceId": "REF-0000000000000000000000000000001",
                 *               "endToEndId": "3f2c1b7e-8d4a-4c7e-9a51-0f6b2d3c4e5f"
                 *             },
                 *             "originatorInfo": {
                 *               "accountNumber": "1234567890123456",
                 *               "accountType": "S",
                 *               "name": "Acme Corporation",
                 *               "wireCompanyId": "WIRECO-001",
                 *               "wireCompanyName": "Acme Corporation"
                 *             },
                 *             "beneficiaryInfo": {
                 *               "accountNumber": "DE89370400440532013000",
                 *               "accountType": "D",
                 *               "name": "Beispiel GmbH",
                 *               "address": {
                 *                 "addressLine": "1 Main Street",
                 *                 "city": "Springfield",
                 *                 "state": "IL",
                 *                 "postalCode": "62701"
                 *               },
                 *               "institutionInfo": {
                 *                 "name": "First Example Bank",
                 *                 "routingNumber": "021000021",
                 *                 "address": {
                 *                   "addressLine": "1 Main Street",
                 *                   "city": "Springfield",
                 *                   "state": "IL",
                 *                   "postalCode": "62701"
                 *                 }
                 *               }
                 *             },
                 *             "remittanceInformation": "Invoice 4711"
                 *           }
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WireNotification"];
            };
        };
        responses: {
            /** @description Nothing more is sent to this consumer until an operator resumes it. The notification is kept until then. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Acknowledged, if the status line arrives in time: within 10 seconds, or 1 to 30 seconds as agreed. The notification is not sent again. The body of the answer is not used. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not acknowledged, like a redirect, an answer that comes too late, and no answer. The notification is sent again: 13 attempts over about 72 hours unless agreed otherwise. No other answer ends them early. */
            default: {
                headers: {
                    /** @description Lengthens the wait before the next attempt, to at most 24 hours: seconds or a date (RFC 9110). */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}

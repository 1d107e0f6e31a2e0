import {
  ConsumersRepository,
  credentialVersions,
  DATABASE,
  DeliveriesRepository,
  EventsRepository,
  recordAudit,
  type AuditEntry,
  type Database,
} from '#libs/database';
import { signatureNotes, signNotification, stringToSign, VERB, type SignedParts } from '#libs/signing';
import type { CredentialCache } from '#libs/vault';
import { Inject, Injectable } from '@nestjs/common';
import { CREDENTIALS } from '../doors.js';
import { bodyDigest } from './body-digest.js';

/** An attempt of a delivery; the last one when no number is given. */
export interface ExplainRequest {
  readonly deliveryId: string;
  readonly attempt: number | undefined;
}

/** How the signature of an attempt comes about; without the secret. */
export interface SignatureExplanation {
  readonly credentialVersion: number;
  readonly stringToSign: string;
  readonly parts: SignedParts & { readonly verb: string };
  readonly signature: string;
  readonly headers: Record<string, string>;
  readonly notes: string[];
}

export type Explained =
  | { readonly kind: 'explained'; readonly explanation: SignatureExplanation }
  | { readonly kind: 'no_consumer' | 'no_delivery' | 'no_attempt' | 'not_tried' | 'no_version' };

/** What the audit log keeps of an explanation. */
export interface ExplanationFacts {
  readonly attempt: number;
  readonly credentialVersion: number;
  readonly url: string;
  readonly bodySha256: string;
}

/** The part of a recorded signature that is kept: what comes before the redaction. */
const KEPT_SIGNATURE = /^[0-9a-f]+/;

/**
 * Shows what was signed in an attempt, and the signature. Only for a notification of that consumer: it has the
 * signature already. Each question is kept in the audit log.
 */
@Injectable()
export class SignatureExplainer {
  constructor(
    @Inject(DATABASE) private readonly db: Database,
    @Inject(CREDENTIALS) private readonly credentials: CredentialCache,
    private readonly consumers: ConsumersRepository,
    private readonly deliveries: DeliveriesRepository,
    private readonly events: EventsRepository,
  ) {}

  /** @throws UndecryptableError */
  async explain(
    consumerId: string,
    { deliveryId, attempt: number }: ExplainRequest,
    audit: (facts: ExplanationFacts) => AuditEntry,
  ): Promise<Explained> {
    const consumer = await this.consumers.find(consumerId);
    if (consumer === undefined) return { kind: 'no_consumer' };
    const delivery = await this.deliveries.find(deliveryId);
    const event = delivery === undefined ? undefined : await this.events.find(delivery.event_id);
    if (delivery?.consumer_id !== consumer.id || event === undefined) return { kind: 'no_delivery' };
    const attempt = await this.deliveries.attempt(deliveryId, number);
    if (attempt === undefined) return { kind: delivery.attempts === 0 ? 'not_tried' : 'no_attempt' };
    const versions = await credentialVersions(this.db, consumerId);
    if (!versions.some(({ version }) => version === attempt.credential_version))
      return { kind: 'no_version' };

    const { url, credential_version: credentialVersion, request_headers: headers } = attempt;
    // As it was sent: the attempt's own URL, version and timestamp, and the event's bytes.
    const parts = { url, body: event.body, timestamp: headers['x-timestamp'] ?? '' };
    const { signingSecret } = await this.credentials.get(consumerId, credentialVersion);
    const signature = signNotification(signingSecret, parts);
    await recordAudit(
      this.db,
      audit({ attempt: attempt.number, credentialVersion, url, bodySha256: bodyDigest(event.body) }),
    );
    return {
      kind: 'explained',
      explanation: {
        credentialVersion,
        stringToSign: stringToSign(parts),
        parts: { verb: VERB, ...parts },
        signature,
        headers,
        notes: signatureNotes({
          parts,
          signature,
          unit: consumer.timestamp_unit,
          registeredUrl: consumer.url,
          credentialVersion,
          versionInForce: versions.find(({ state }) => state === 'current')?.version ?? null,
          sentSignature: KEPT_SIGNATURE.exec(headers['x-signature'] ?? '')?.[0] ?? null,
        }),
      },
    };
  }
}

import { CONFIG, type Config } from '#libs/config';
import {
  ConsumersRepository,
  credentialVersions,
  DATABASE,
  DeliveriesRepository,
  EventsRepository,
  recordAudit,
  type AuditEntry,
  type ConsumerRow,
  type CredentialVersion,
  type Database,
} from '#libs/database';
import { canonicalConsumerUrl } from '#libs/egress';
import { signatureNotes, signNotification, stringToSign, VERB, type SignedParts } from '#libs/signing';
import type { CredentialCache } from '#libs/vault';
import { Inject, Injectable } from '@nestjs/common';
import { CREDENTIALS } from '../doors.js';
import { USER_AGENT } from '../user-agent.js';

/** An attempt of a delivery, or a notification as somebody has it before him. */
export type ExplainRequest =
  | { readonly deliveryId: string; readonly attempt: number | undefined }
  | {
      readonly body: string;
      readonly timestamp: string;
      readonly url: string | undefined;
      readonly credentialVersion: number | undefined;
    };

/** How a signature comes about; without the secret. */
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

/** What was signed, or would be. */
interface Subject {
  readonly parts: SignedParts;
  readonly credentialVersion: number;
  /** As recorded with the attempt; null when nothing was sent. */
  readonly sentHeaders: Record<string, string> | null;
}

/** The part of a recorded signature that is kept: what comes before the redaction. */
const KEPT_SIGNATURE = /^[0-9a-f]+/;

/**
 * Shows what a consumer must have before it to come to the same signature. Whoever asks gets the signature of what he
 * pastes, so each question is kept in the audit log.
 */
@Injectable()
export class SignatureExplainer {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(DATABASE) private readonly db: Database,
    @Inject(CREDENTIALS) private readonly credentials: CredentialCache,
    private readonly consumers: ConsumersRepository,
    private readonly deliveries: DeliveriesRepository,
    private readonly events: EventsRepository,
  ) {}

  /** @throws UndecryptableError */
  async explain(
    consumerId: string,
    request: ExplainRequest,
    audit: (credentialVersion: number) => AuditEntry,
  ): Promise<Explained> {
    const consumer = await this.consumers.find(consumerId);
    if (consumer === undefined) return { kind: 'no_consumer' };
    const versions = await credentialVersions(this.db, consumerId);
    const inForce = versions.find(({ state }) => state === 'current')?.version ?? null;
    const subject =
      'deliveryId' in request ? await this.attemptOf(consumer, request) : pasted(consumer, request, inForce);
    if (typeof subject === 'string') return { kind: subject };
    if (!isKnown(versions, subject.credentialVersion)) return { kind: 'no_version' };

    const { parts, credentialVersion, sentHeaders } = subject;
    const { signingSecret } = await this.credentials.get(consumerId, credentialVersion);
    const signature = signNotification(signingSecret, parts);
    await recordAudit(this.db, audit(credentialVersion));
    const canonical = canonicalConsumerUrl(parts.url, { allowHttp: this.config.egress.allowHttp });
    return {
      kind: 'explained',
      explanation: {
        credentialVersion,
        stringToSign: stringToSign(parts),
        parts: { verb: VERB, url: parts.url, body: parts.body, timestamp: parts.timestamp },
        signature,
        headers: sentHeaders ?? headersFor(parts, signature),
        notes: signatureNotes({
          parts,
          signature,
          unit: consumer.timestamp_unit,
          registeredUrl: consumer.url,
          canonicalUrl: canonical.ok ? canonical.url : null,
          credentialVersion,
          versionInForce: inForce,
          sentSignature: KEPT_SIGNATURE.exec(sentHeaders?.['x-signature'] ?? '')?.[0] ?? null,
        }),
      },
    };
  }

  /** An attempt as it was sent: its own URL, version and timestamp, and the event's bytes. */
  private async attemptOf(
    consumer: ConsumerRow,
    { deliveryId, attempt: number }: Extract<ExplainRequest, { deliveryId: string }>,
  ): Promise<Subject | 'no_delivery' | 'no_attempt' | 'not_tried'> {
    const delivery = await this.deliveries.find(deliveryId);
    const event = delivery === undefined ? undefined : await this.events.find(delivery.event_id);
    if (delivery?.consumer_id !== consumer.id || event === undefined) return 'no_delivery';
    const attempts = await this.deliveries.attempts(deliveryId);
    if (attempts.length === 0) return 'not_tried';
    const attempt = number === undefined ? attempts.at(-1) : attempts.find((made) => made.number === number);
    if (attempt === undefined) return 'no_attempt';
    return {
      parts: { url: attempt.url, body: event.body, timestamp: attempt.request_headers['x-timestamp'] ?? '' },
      credentialVersion: attempt.credential_version,
      sentHeaders: attempt.request_headers,
    };
  }
}

function pasted(
  consumer: ConsumerRow,
  given: Extract<ExplainRequest, { body: string }>,
  inForce: number | null,
): Subject | 'no_version' {
  const credentialVersion = given.credentialVersion ?? inForce;
  if (credentialVersion === null) return 'no_version';
  return {
    parts: { url: given.url ?? consumer.url, body: given.body, timestamp: given.timestamp },
    credentialVersion,
    sentHeaders: null,
  };
}

const isKnown = (versions: readonly CredentialVersion[], wanted: number): boolean =>
  versions.some(({ version }) => version === wanted);

const headersFor = ({ timestamp }: SignedParts, signature: string): Record<string, string> => ({
  'content-type': 'application/json',
  authorization: 'Basic [redacted]',
  'x-timestamp': timestamp,
  'x-signature': signature,
  'user-agent': USER_AGENT,
});

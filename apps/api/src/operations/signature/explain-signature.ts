import {
  ConsumersRepository,
  credentialVersions,
  DeliveriesRepository,
  EventsRepository,
  recordAudit,
  Database,
} from '#libs/database';
import { signatureNotes, signNotification, stringToSign, VERB, type SignedParts } from '#libs/signing';
import type { CredentialCache } from '#libs/vault';
import { ConflictException, Inject, Injectable, NotFoundException } from '@nestjs/common';
import { auditEntry, type Actor } from '../../access/audit-entry.js';
import { CREDENTIALS } from '../../providers.js';
import { openedCredentials } from '../opened-credentials.js';
import { bodyDigest } from './body-digest.js';

/** An attempt of a delivery; the last one when no number is given. */
export interface ExplainRequest {
  readonly deliveryId: string;
  readonly attempt: number | undefined;
}

/** How the signature of an attempt is computed, without the secret. */
export interface SignatureExplanation {
  readonly credentialVersion: number;
  readonly stringToSign: string;
  readonly parts: SignedParts & { readonly verb: string };
  readonly signature: string;
  readonly headers: Record<string, string>;
  readonly notes: string[];
}

/** The beginning of a recorded signature; the rest is redacted. */
const KEPT_SIGNATURE = /^[0-9a-f]+/;

/**
 * Returns the signed text and the signature of an attempt, for notifications of this consumer only, which has already
 * received the signature. Each request is recorded in the audit log.
 */
@Injectable()
export class ExplainSignature {
  constructor(
    private readonly db: Database,
    @Inject(CREDENTIALS) private readonly credentials: CredentialCache,
    private readonly consumers: ConsumersRepository,
    private readonly deliveries: DeliveriesRepository,
    private readonly events: EventsRepository,
  ) {}

  /** @throws NotFoundException; ConflictException if nothing was signed, or when the secret cannot be decrypted */
  async execute(
    consumerId: string,
    { deliveryId, attempt: number }: ExplainRequest,
    actor: Actor,
  ): Promise<SignatureExplanation> {
    const consumer = await this.consumers.find(consumerId);
    if (consumer === undefined) throw new NotFoundException('There is no such consumer.');
    const delivery = await this.deliveries.find(deliveryId);
    const event = delivery === undefined ? undefined : await this.events.find(delivery.event_id);
    if (delivery?.consumer_id !== consumer.id || event === undefined)
      throw new NotFoundException('This consumer has no such delivery.');
    const attempt = await this.deliveries.attempt(deliveryId, number);
    if (attempt === undefined && delivery.attempts === 0)
      throw new ConflictException('The delivery has not been tried yet: nothing was signed.');
    if (attempt === undefined) throw new NotFoundException('The delivery has no attempt of this number.');
    const versions = await credentialVersions(this.db, consumerId);
    if (!versions.some(({ version }) => version === attempt.credential_version))
      throw new NotFoundException('The version of the credentials that this attempt used is gone.');

    const { url, credential_version: credentialVersion, request_headers: headers } = attempt;
    const timestamp = headers['x-timestamp'];
    // A request is signed when it goes on the wire.
    if (timestamp === undefined)
      throw new ConflictException(
        `Nothing was signed in attempt ${String(attempt.number)}: it failed before the request was sent. Choose an attempt that was sent.`,
      );
    // As sent: the attempt's own URL, version and timestamp, and the event's bytes.
    const parts = { url, body: event.body, timestamp };
    const { signingSecret } = await openedCredentials(this.credentials, consumerId, credentialVersion);
    const signature = signNotification(signingSecret, parts);
    const details = {
      deliveryId,
      attempt: attempt.number,
      credentialVersion,
      url,
      bodySha256: bodyDigest(event.body),
    };
    await recordAudit(
      this.db,
      auditEntry(actor, { action: 'signature.explained', target: `consumer:${consumerId}`, details }),
    );
    return {
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
    };
  }
}

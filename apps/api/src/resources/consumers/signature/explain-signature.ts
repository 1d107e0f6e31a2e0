import { createHash } from 'node:crypto';
import type { TimestampUnit } from '#libs/contracts';
import {
  ConsumersRepository,
  credentialVersions,
  Database,
  DeliveriesRepository,
  EventsRepository,
  OwnDeliveriesRepository,
  recordAudit,
  type CredentialVersion,
} from '#libs/database';
import {
  compareBody,
  compareSignature,
  notificationIdIn,
  readSignature,
  signatureNotes,
  signNotification,
  stringToSign,
  VERB,
  type BodyComparison,
  type Comparison,
  type KnownSecret,
  type SignedParts,
} from '#libs/signing';
import type { CredentialCache } from '#libs/vault';
import { ConflictException, Inject, Injectable, NotFoundException } from '@nestjs/common';
import { auditEntry, type Actor } from '../../../access/audit-entry.js';
import { InvalidContentError } from '../../../http/invalid-input.js';
import { CREDENTIALS } from '../../../secrets/secrets.module.js';
import { CredentialsUnreadableError, openedCredentials } from '../../../secrets/opened-credentials.js';
import { found } from '../../../http/found.js';

/** An attempt of a delivery; the last one when no number is given. */
export interface AttemptToExplain {
  readonly deliveryId: string;
  readonly attempt?: number | undefined;
}

/** How the signature of an attempt is computed, without the secret. */
interface SignatureExplanation {
  readonly deliveryId: string;
  readonly notificationId: string;
  readonly credentialVersion: number;
  readonly stringToSign: string;
  readonly parts: SignedParts & { readonly verb: string };
  readonly signature: string;
  readonly headers: Record<string, string>;
  readonly notes: string[];
}

/** A signature that a consumer has computed, and the parts that it reports to have signed. */
export interface SignatureToCompare {
  readonly signature: string;
  readonly body: string;
  readonly timestamp: string;
  /** Absent: the registered URL. */
  readonly url?: string | undefined;
  /** Absent: the version in force. */
  readonly credentialVersion?: number | undefined;
}

/** The notification of this consumer that a pasted body names. */
type NamedNotification = BodyComparison & { readonly notificationId: string; readonly deliveryId: string };

interface SignatureComparison extends Comparison {
  readonly notification: NamedNotification | null;
  readonly notes: string[];
}

/** The message for a text that `readSignature` does not read. */
export const NOT_A_SIGNATURE = 'must be 64 hexadecimal characters, or 32 bytes in base64';

/** The beginning of a recorded signature; the rest is redacted. */
const KEPT_SIGNATURE = /^[0-9a-f]+/;
/** Maximum number of versions of the secret that are tried in addition to the requested one, the newest first. */
const OTHER_VERSIONS = 8;

/**
 * Explains the signature of an attempt, and compares a consumer's own signature. A computed signature is only returned for a
 * notification that this consumer has received with it: a caller can paste any text. Each request is in the audit log.
 */
@Injectable()
export class ExplainSignature {
  constructor(
    private readonly db: Database,
    @Inject(CREDENTIALS) private readonly credentials: CredentialCache,
    private readonly consumers: ConsumersRepository,
    private readonly deliveries: DeliveriesRepository,
    private readonly own: OwnDeliveriesRepository,
    private readonly events: EventsRepository,
  ) {}

  /**
   * Returns the signed text and the signature of an attempt.
   * @throws NotFoundException; ConflictException if nothing was signed, or when the secret cannot be decrypted
   */
  async ofAttempt(
    consumerId: string,
    { deliveryId, attempt: number }: AttemptToExplain,
    actor: Actor,
  ): Promise<SignatureExplanation> {
    const { url: registeredUrl, timestamp_unit: unit } = await this.consumer(consumerId);
    const delivery = await this.deliveries.find(deliveryId);
    const event = delivery === undefined ? undefined : await this.events.find(delivery.event_id);
    if (delivery?.consumer_id !== consumerId || event === undefined)
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
    await this.audit(
      actor,
      consumerId,
      { deliveryId, attempt: attempt.number, credentialVersion, url },
      event.body,
    );
    return {
      deliveryId,
      notificationId: event.id,
      credentialVersion,
      stringToSign: stringToSign(parts),
      parts: { verb: VERB, ...parts },
      signature,
      headers,
      notes: signatureNotes(
        { parts, unit, registeredUrl },
        {
          signature,
          credentialVersion,
          versionInForce: versions.find(({ state }) => state === 'current')?.version ?? null,
          sentSignature: KEPT_SIGNATURE.exec(headers['x-signature'] ?? '')?.[0] ?? null,
        },
      ),
    };
  }

  /**
   * Returns the signed text and the signature of the request that was sent last, acknowledged or not.
   * @throws NotFoundException; ConflictException if nothing was sent, or when the secret cannot be decrypted
   */
  async ofLastSent(consumerId: string, actor: Actor): Promise<SignatureExplanation> {
    const last = await this.own.lastSent(consumerId);
    if (last !== undefined) return this.ofAttempt(consumerId, last, actor);
    await this.consumer(consumerId);
    throw new ConflictException(
      'Nothing has been sent yet, and so nothing was signed. Send a test delivery first.',
    );
  }

  /**
   * Compares a consumer's signature with the signatures of its text and of variations of this text. The result only states
   * whether the given signature matches.
   * @throws NotFoundException, InvalidContentError for an unknown version, ConflictException when the requested
   *   version cannot be decrypted
   */
  async ofPasted(consumerId: string, pasted: SignatureToCompare, actor: Actor): Promise<SignatureComparison> {
    const { url: registeredUrl, timestamp_unit: unit } = await this.consumer(consumerId);
    const versions = await credentialVersions(this.db, consumerId);
    const asked = versions.find(({ version, state }) =>
      pasted.credentialVersion === undefined ? state === 'current' : version === pasted.credentialVersion,
    );
    if (asked === undefined)
      throw new InvalidContentError([
        { field: 'credentialVersion', message: 'must be a version of this consumer’s credentials' },
      ]);
    const signature = readSignature(pasted.signature);
    if (signature === null) throw new InvalidContentError([{ field: 'signature', message: NOT_A_SIGNATURE }]);

    const { body, timestamp, url = registeredUrl } = pasted;
    const parts = { url, body, timestamp };
    const sent = await this.notificationIn(body, consumerId);
    const comparison = await compareSignature({
      signature,
      parts,
      registeredUrl,
      bodyAsSent: sent?.body ?? null,
      credentialVersion: asked.version,
      secrets: await this.secretsOf(consumerId, asked, versions),
    });
    const { credentialVersion, finding } = comparison;
    const differences = comparison.differences.map(({ code }) => code);
    await this.audit(actor, consumerId, { url, timestamp, credentialVersion, finding, differences }, body);
    const notification = sent && { ...compareBody(body, sent.body), ...sent.ids };
    return { ...comparison, notification, notes: signatureNotes({ parts, unit, registeredUrl }) };
  }

  private async consumer(id: string): Promise<{ url: string; timestamp_unit: TimestampUnit }> {
    const consumer = found(await this.consumers.find(id), 'consumer');
    return consumer;
  }

  /** The audit entry has a digest of the body, and neither the body nor a signature. */
  private async audit(
    actor: Actor,
    consumerId: string,
    facts: Record<string, unknown>,
    body: string,
  ): Promise<void> {
    const bodySha256 = createHash('sha256').update(body, 'utf8').digest('hex');
    const details = { ...facts, bodySha256 };
    await recordAudit(
      this.db,
      auditEntry(actor, { action: 'signature.explained', target: `consumer:${consumerId}`, details }),
    );
  }

  /** The notification that a body names; null unless this consumer has a delivery of it. */
  private async notificationIn(
    body: string,
    consumerId: string,
  ): Promise<{ ids: { notificationId: string; deliveryId: string }; body: string } | null> {
    const notificationId = notificationIdIn(body);
    if (notificationId === null) return null;
    const deliveries = await this.deliveries.ofEvent(notificationId);
    const delivery = deliveries.find((each) => each.consumer_id === consumerId);
    const event = delivery === undefined ? undefined : await this.events.find(notificationId);
    return delivery === undefined || event === undefined
      ? null
      : { ids: { notificationId, deliveryId: delivery.id }, body: event.body };
  }

  /** The requested version's secret, then others; others that cannot be decrypted are left out. */
  private async secretsOf(
    consumerId: string,
    asked: CredentialVersion,
    versions: readonly CredentialVersion[],
  ): Promise<KnownSecret[]> {
    const opened = async ({ version, state }: CredentialVersion): Promise<KnownSecret> => {
      const { signingSecret } = await openedCredentials(this.credentials, consumerId, version);
      return { version, state, secret: signingSecret };
    };
    const others = versions.filter(({ version }) => version !== asked.version).slice(0, OTHER_VERSIONS);
    const readable = await Promise.all(
      others.map((other) =>
        opened(other).catch((error: unknown) => {
          if (error instanceof CredentialsUnreadableError) return null;
          throw error;
        }),
      ),
    );
    return [await opened(asked), ...readable.filter((secret) => secret !== null)];
  }
}

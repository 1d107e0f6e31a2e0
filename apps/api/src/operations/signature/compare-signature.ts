import { setImmediate } from 'node:timers/promises';
import {
  ConsumersRepository,
  credentialVersions,
  DeliveriesRepository,
  EventsRepository,
  recordAudit,
  type CredentialVersion,
  Database,
} from '#libs/database';
import {
  compareBody,
  compareSignature,
  notificationIdIn,
  pastedNotes,
  type BodyComparison,
  type Comparison,
  type GivenSignature,
  type KnownSecret,
  type ReadSignature,
} from '#libs/signing';
import { UndecryptableError, type CredentialCache, type Credentials } from '#libs/vault';
import { Inject, Injectable, NotFoundException } from '@nestjs/common';
import { auditEntry, type Actor } from '../../access/audit-entry.js';
import { InvalidContentError } from '../../http/invalid-input.js';
import { CREDENTIALS } from '../../providers.js';
import { openedCredentials } from '../opened-credentials.js';
import { bodyDigest } from './body-digest.js';

/** Maximum number of versions of the secret that are tried in addition to the requested one, the newest first. */
const OTHER_VERSIONS = 8;
/** Characters hashed before other requests get their turn: a few milliseconds of work. */
const AT_ONCE = 262_144;

/** A signature that a consumer has computed, and the parts that it reports to have signed. */
export interface CompareRequest {
  readonly signature: ReadSignature;
  readonly body: string;
  readonly timestamp: string;
  /** Undefined: the registered URL. */
  readonly url: string | undefined;
  /** Undefined: the version in force. */
  readonly credentialVersion: number | undefined;
}

/** The notification of this consumer that a pasted body names. */
export type NamedNotification = BodyComparison & {
  readonly notificationId: string;
  readonly deliveryId: string;
};

export type SignatureComparison = Comparison & {
  readonly notification: NamedNotification | null;
  readonly notes: string[];
};

/**
 * Compares a consumer's signature with the signatures of its text and of variations of this text. The result only
 * states whether the given signature matches. Computed ones are never returned, since a caller can paste any text.
 */
@Injectable()
export class CompareSignature {
  constructor(
    private readonly db: Database,
    @Inject(CREDENTIALS) private readonly credentials: CredentialCache,
    private readonly consumers: ConsumersRepository,
    private readonly deliveries: DeliveriesRepository,
    private readonly events: EventsRepository,
  ) {}

  /**
   * @throws NotFoundException, InvalidContentError for an unknown version, ConflictException when the requested
   *   version cannot be decrypted
   */
  async execute(consumerId: string, request: CompareRequest, actor: Actor): Promise<SignatureComparison> {
    const consumer = await this.consumers.find(consumerId);
    if (consumer === undefined) throw new NotFoundException('There is no such consumer.');
    const versions = await credentialVersions(this.db, consumerId);
    const asked = versions.find(({ version, state }) =>
      request.credentialVersion === undefined ? state === 'current' : version === request.credentialVersion,
    );
    if (asked === undefined)
      throw new InvalidContentError([
        { field: 'credentialVersion', message: 'must be a version of this consumer’s credentials' },
      ]);

    const { signature, body, timestamp, url = consumer.url } = request;
    const parts = { url, body, timestamp };
    const sent = await this.notificationIn(body, consumerId);
    const comparison = await compared({
      signature,
      parts,
      registeredUrl: consumer.url,
      bodyAsSent: sent?.body ?? null,
      credentialVersion: asked.version,
      secrets: await this.secretsOf(consumerId, asked, versions),
    });
    // The audit entry has neither the body nor the signature.
    const details = {
      url,
      bodySha256: bodyDigest(body),
      timestamp,
      credentialVersion: comparison.credentialVersion,
      finding: comparison.finding,
      differences: comparison.differences.map(({ code }) => code),
    };
    await recordAudit(
      this.db,
      auditEntry(actor, { action: 'signature.explained', target: `consumer:${consumerId}`, details }),
    );
    const notification =
      sent === null
        ? null
        : {
            ...compareBody(body, sent.body),
            notificationId: sent.notificationId,
            deliveryId: sent.deliveryId,
          };
    const notes = pastedNotes({ parts, unit: consumer.timestamp_unit, registeredUrl: consumer.url });
    return { ...comparison, notification, notes };
  }

  /** The notification that a body names; null unless this consumer has a delivery of it. */
  private async notificationIn(
    body: string,
    consumerId: string,
  ): Promise<{ notificationId: string; deliveryId: string; body: string } | null> {
    const notificationId = notificationIdIn(body);
    if (notificationId === null) return null;
    const deliveries = await this.deliveries.ofEvent(notificationId);
    const delivery = deliveries.find((each) => each.consumer_id === consumerId);
    const event = delivery === undefined ? undefined : await this.events.find(notificationId);
    return delivery === undefined || event === undefined
      ? null
      : { notificationId, deliveryId: delivery.id, body: event.body };
  }

  /** The requested version's secret, then others; others that cannot be decrypted are left out. */
  private async secretsOf(
    consumerId: string,
    asked: CredentialVersion,
    versions: readonly CredentialVersion[],
  ): Promise<KnownSecret[]> {
    const known = ({ version, state }: CredentialVersion, { signingSecret }: Credentials): KnownSecret => ({
      version,
      state,
      secret: signingSecret,
    });
    const others = versions.filter(({ version }) => version !== asked.version).slice(0, OTHER_VERSIONS);
    const opened = await Promise.all(
      others.map(async (other) => {
        try {
          return known(other, await this.credentials.get(consumerId, other.version));
        } catch (error) {
          if (error instanceof UndecryptableError) return null;
          throw error;
        }
      }),
    );
    const inQuestion = known(asked, await openedCredentials(this.credentials, consumerId, asked.version));
    return [inQuestion, ...opened.filter((secret) => secret !== null)];
  }
}

/** Compares in portions, so that a large body delays no other request. */
async function compared(given: GivenSignature): Promise<Comparison> {
  const steps = compareSignature(given);
  for (let hashed = 0; ;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    hashed += step.value;
    if (hashed < AT_ONCE) continue;
    hashed = 0;
    await setImmediate();
  }
}

import { createHash } from 'node:crypto';
import { buildEnvelope, contentOf, type Envelope, type StatusChangeDto } from '#libs/contracts';
import { v7 as uuidv7 } from 'uuid';

/** A status change as a producer asks for it, its content already checked. */
export interface AcceptRequest {
  /** Scope of idempotency and of reading back: the name of the producer's API key. */
  readonly producer: string;
  readonly idempotencyKey: string | undefined;
  readonly change: StatusChangeDto;
}

/** A request with all that is computed outside the transaction: its id, its bytes, its fingerprints. */
export interface PreparedChange {
  readonly notificationId: string;
  readonly producer: string;
  readonly keyHash: Buffer;
  readonly contentHash: Buffer;
  readonly envelope: Envelope;
  readonly named: readonly string[] | undefined;
  /** (producer, key) as text, to find requests that share it. */
  readonly keyId: string;
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text, 'utf8').digest();

/**
 * Builds the envelope, once, and the two fingerprints of idempotency: without a key the content is the key. The
 * prefixes keep a key that looks like a content's hash apart from that content.
 */
export function prepareChange(request: AcceptRequest): PreparedChange {
  const notificationId = uuidv7();
  const contentHash = sha256(contentOf(request.change));
  const keyHash =
    request.idempotencyKey === undefined
      ? sha256(`content:${contentHash.toString('hex')}`)
      : sha256(`key:${request.idempotencyKey}`);
  return {
    notificationId,
    producer: request.producer,
    keyHash,
    contentHash,
    envelope: buildEnvelope(request.change, notificationId),
    named: request.change.consumers,
    keyId: `${keyHash.toString('base64')} ${request.producer}`,
  };
}

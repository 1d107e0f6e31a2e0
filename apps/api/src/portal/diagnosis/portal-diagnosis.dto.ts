import type { Count, EventType, Instant, Integer, Ordinal, Outcome, Signature, Uuid } from '#libs/contracts';
import type { SignedPartsDto } from '../../consumers/signature/signature.dto.js';

/** Failed attempts with one cause. */
export class PortalFailureDto {
  outcome!: Outcome;

  httpStatus!: Integer | null;

  /** Number of failed attempts. */
  count!: Ordinal;

  /** Number of deliveries that these attempts belong to. */
  deliveries!: Ordinal;

  firstAt!: Instant;

  lastAt!: Instant;

  /**
   * What the server did, and the recommended next step.
   * @example "Your server answered 503: it is unavailable. Check whether it runs and is not overloaded."
   */
  advice!: string;

  lastDeliveryId!: Uuid;
}

export class PortalFailureListDto {
  from!: Instant;

  to!: Instant;

  /** Number of failed attempts evaluated: the newest ones of the period. */
  attemptsSeen!: Count;

  /** True: `attemptsSeen` is the maximum of 5,000, and older ones may exist. Request a shorter period to see them. */
  attemptsAreCapped!: boolean;

  /** The most frequent cause first. */
  failures!: PortalFailureDto[];
}

/** A test delivery, and the answer of the consumer's server. */
export class PortalTestDto {
  /**
   * Begins with `TEST-`.
   * @example TEST-2f2-7b5e-7c3a-8f00-000000000000
   */
  notificationId!: string;

  eventType!: EventType;

  /** The exact body that was sent. */
  body!: string;

  startedAt!: Instant;

  durationMs!: Count;

  outcome!: Outcome;

  httpStatus!: Integer | null;

  /** What the server did, and the recommended next step. */
  advice!: string;

  /** The URL as requested and signed. */
  url!: string;

  credentialVersion!: Integer;

  /** Secrets redacted. */
  requestHeaders!: Record<string, string>;

  /** Null without an answer. */
  responseHeaders!: Record<string, string> | null;

  /** The first 4 KiB. Null without a readable body. */
  responseBody!: string | null;

  responseTruncated!: boolean;

  /** The server's clock minus the bank's, if more than a minute. */
  clockSkewMs!: Integer | null;
}

/** How the consumer's last notification was signed, without the secret. */
export class VerificationExampleDto {
  deliveryId!: Uuid;

  notificationId!: Uuid;

  /** The version of the credentials whose secret is the key. */
  credentialVersion!: Integer;

  /** The exact text whose UTF-8 bytes are signed. */
  stringToSign!: string;

  parts!: SignedPartsDto;

  /** HMAC-SHA256 of `stringToSign` with that secret: 64 lower-case hexadecimal characters. */
  signature!: Signature;

  /** The request headers as recorded with the attempt; secrets redacted. */
  headers!: Record<string, string>;
}

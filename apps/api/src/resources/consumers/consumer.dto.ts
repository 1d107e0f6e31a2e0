import type {
  Count,
  EventType,
  Instant,
  Integer,
  Ordering,
  PaginationDto,
  TimestampUnit,
  Url,
  Uuid,
} from '#libs/contracts';
import type { ConsumerHealthDto } from './health/consumer-health.dto.js';
import type { CertificateInUseDto } from './certificates/certificate.dto.js';

/** An open circuit: the deliveries are held, and a probe is sent every 30 s to 15 min. */
export class CircuitDto {
  openedAt!: Instant;
  failedProbes!: Count;
  nextProbeAt!: Instant | null;
}

/** A consumer, without secret and password. */
export class ConsumerDto {
  id!: Uuid;
  name!: string;
  externalId!: string | null;
  /** In the canonical form in which it is requested and signed. */
  url!: Url;
  contact!: string | null;
  /** Whether the contact gets a mail when the consumer is down, and when it has recovered. */
  notifyContact!: boolean;
  notes!: string | null;
  eventTypes!: EventType[];
  achCompanyIds!: string[];
  wireCompanyIds!: string[];
  allPayments!: boolean;
  timestampUnit!: TimestampUnit;
  ordering!: Ordering;
  timeoutMs!: Integer;
  maxConcurrency!: Integer;
  maxPerSecond!: Integer | null;
  /** Seconds between attempts; null: the default schedule, 13 attempts over about 72 hours. */
  retrySchedule!: Integer[] | null;
  /** PEM of a private authority, trusted instead of the public ones. Null: the public ones are trusted. */
  caCertificate!: string | null;
  /** The certificates in use, the dispatcher's own first. `health.notices` names each that expires within 30 days. */
  certificates!: CertificateInUseDto[];
  state!: 'active' | 'paused';
  pausedAt!: Instant | null;
  /** When sending resumes automatically; null: only when a person resumes it. */
  pausedUntil!: Instant | null;
  /** `Not live yet`: it was registered paused and has never been resumed. */
  pauseReason!: string | null;
  /** Number of failed attempts since the last success. */
  failuresInARow!: Count;
  /** Null while the circuit is closed. */
  circuit!: CircuitDto | null;
  /** Why its credentials cannot be decrypted, and what to do; its deliveries are held meanwhile. Null: they can. */
  secretFault!: string | null;
  health!: ConsumerHealthDto;
  createdAt!: Instant;
  updatedAt!: Instant;
}

/** A newly registered consumer. */
export class ConsumerCreatedDto extends ConsumerDto {
  /** Present only if the dispatcher generated it, and only in this response: pass it on to the consumer now. */
  signingSecret?: string;
}

export class ConsumerListDto {
  consumers!: ConsumerDto[];
  pagination!: PaginationDto;
}

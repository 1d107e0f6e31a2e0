import { ConsumerName } from '../../access/names.js';
import {
  OneOf,
  ORDERINGS,
  Text,
  TIMESTAMP_UNITS,
  Truth,
  Whole,
  type EventType,
  type Ordering,
  type TimestampUnit,
} from '#libs/contracts';
import { CaCertificate } from './credential-rules.js';
import { CompanyIds, EventTypes, RetrySchedule } from './register-consumer.dto.js';

/** `PATCH /v1/consumers/:id`: absent fields do not change, null unsets one. Credentials have their own operations. */
export class UpdateConsumerDto {
  @ConsumerName({ optional: true })
  name?: string;

  @Text({ min: 1, max: 255, optional: true, nullable: true })
  externalId?: string | null;

  /** Used from the next attempt on. */
  @Text({ min: 1, max: 2_048, optional: true, schema: { format: 'uri' } })
  url?: string;

  @Text({ min: 1, max: 500, optional: true, nullable: true })
  contact?: string | null;

  @Truth({ optional: true })
  notifyContact?: boolean;

  @Text({ min: 1, max: 2_000, optional: true, nullable: true })
  notes?: string | null;

  @EventTypes({ optional: true })
  eventTypes?: EventType[];

  @CompanyIds()
  achCompanyIds?: string[];

  @CompanyIds()
  wireCompanyIds?: string[];

  @Truth({ optional: true })
  allPayments?: boolean;

  /** PEM of a private authority, trusted instead of the public ones from the next attempt on. Null: the public ones. */
  @CaCertificate({ nullable: true })
  caCertificate?: string | null;

  @OneOf(TIMESTAMP_UNITS, { optional: true })
  timestampUnit?: TimestampUnit;

  @OneOf(ORDERINGS, { optional: true })
  ordering?: Ordering;

  @Whole({ min: 1_000, max: 30_000 }, { optional: true })
  timeoutMs?: number;

  @Whole({ min: 1, max: 1_000 }, { optional: true })
  maxConcurrency?: number;

  /** Null: no limit. */
  @Whole({ min: 1, max: 10_000 }, { optional: true, nullable: true })
  maxPerSecond?: number | null;

  /** Null: 13 attempts over about 72 hours. */
  @RetrySchedule({ nullable: true })
  retrySchedule?: number[] | null;
}

import { ConsumerName } from '../../access/names.js';
import {
  EVENT_TYPES,
  Field,
  ListOf,
  Nested,
  OneOf,
  ORDERINGS,
  Text,
  textRule,
  TIMESTAMP_UNITS,
  Truth,
  Whole,
  type EventType,
  type Ordering,
  type TimestampUnit,
} from '#libs/contracts';
import { ClientCertificateDto } from './certificates/certificate.dto.js';
import { BasicPassword, BasicUsername, CaCertificate, SigningSecret } from './credential-rules.js';

const isEventType = (value: unknown): string | null =>
  EVENT_TYPES.some((type) => type === value) ? null : `must be one of ${EVENT_TYPES.join(', ')}`;

/** One or both event types. */
export const EventTypes = (options: { optional?: boolean } = {}): PropertyDecorator =>
  ListOf(
    isEventType,
    { min: 1, max: EVENT_TYPES.length, items: { type: 'string', enum: [...EVENT_TYPES] } },
    options,
  );

/** Ids of the companies whose payments concern the consumer; compared exactly. */
export const CompanyIds = (): PropertyDecorator =>
  ListOf(
    textRule({ min: 1, max: 255 }),
    { min: 0, max: 10_000, items: { type: 'string', minLength: 1, maxLength: 255 } },
    { optional: true, schema: { example: ['1234567890'] } },
  );

/** Seconds between attempts; libs/policy checks the numbers themselves. */
export const RetrySchedule = (options: { nullable?: boolean } = {}): PropertyDecorator =>
  Field(
    (value) =>
      Array.isArray(value) && value.every((delay) => typeof delay === 'number')
        ? null
        : 'must be an array of numbers',
    { type: 'array', items: { type: 'integer', minimum: 1, maximum: 604_800 }, minItems: 1, maxItems: 50 },
    { ...options, optional: true },
  );

/** The user name and password for Basic authentication of deliveries. */
export class CredentialsDto {
  /** No colon and no control characters (RFC 7617). */
  @BasicUsername()
  username!: string;

  /** Encrypted at once; the API never returns it. */
  @BasicPassword()
  password!: string;
}

/** `POST /v1/consumers`. */
export class RegisterConsumerDto {
  @ConsumerName()
  name!: string;

  /** The operator's own id of the consumer, unique among registered ones. Every `consumers` field accepts it. */
  @Text({ min: 1, max: 255, optional: true, schema: { example: 'acme' } })
  externalId?: string;

  /**
   * Where notifications are POSTed. Stored, shown, requested and signed in its canonical form. Refused: a user name
   * or password, a fragment, a backslash, a tab or line break, a leading or trailing blank.
   */
  @Text({
    min: 1,
    max: 2_048,
    schema: { format: 'uri', example: 'https://consumer.example/ach-payments-api/v1/hook' },
  })
  url!: string;

  /** Whom to call when deliveries fail. */
  @Text({ min: 1, max: 500, optional: true, schema: { example: 'integration@acme.example' } })
  contact?: string;

  /** Whether the mail address in `contact` gets a mail when the consumer is down, and when it has recovered. */
  @Truth({ optional: true, schema: { default: false } })
  notifyContact?: boolean;

  @Text({ min: 1, max: 2_000, optional: true })
  notes?: string;

  @EventTypes()
  eventTypes!: EventType[];

  /** The consumer gets ACH events whose debtor or creditor has one of these `achCompanyId`s. */
  @CompanyIds()
  achCompanyIds?: string[];

  /** The consumer gets wire events whose originator has one of these `wireCompanyId`s. */
  @CompanyIds()
  wireCompanyIds?: string[];

  /** The consumer gets the events of every payment, regardless of the parties. */
  @Truth({ optional: true, schema: { default: false } })
  allPayments?: boolean;

  @Nested(() => CredentialsDto)
  credentials!: CredentialsDto;

  /** HMAC key. Absent: the dispatcher generates 256 random bits, and only this response shows them. */
  @SigningSecret()
  signingSecret?: string;

  /** PEM of a private authority, trusted instead of the public ones. */
  @CaCertificate()
  caCertificate?: string;

  /** For a consumer that requests one (mutual TLS). */
  @Nested(() => ClientCertificateDto, { optional: true })
  clientCertificate?: ClientCertificateDto;

  /** Unit of `x-timestamp`. */
  @OneOf(TIMESTAMP_UNITS, { optional: true, schema: { default: 'seconds' } })
  timestampUnit?: TimestampUnit;

  /** `payment`: a payment's statuses arrive in the order of acceptance. `none`: each as soon as possible. */
  @OneOf(ORDERINGS, { optional: true, schema: { default: 'payment' } })
  ordering?: Ordering;

  /** Timeout of the whole exchange, in milliseconds. */
  @Whole({ min: 1_000, max: 30_000 }, { optional: true, schema: { default: 10_000 } })
  timeoutMs?: number;

  /** Maximum number of deliveries in flight, over all workers. */
  @Whole({ min: 1, max: 1_000 }, { optional: true, schema: { default: 64 } })
  maxConcurrency?: number;

  /** Maximum number of deliveries per second, over all workers. Absent: no limit. */
  @Whole({ min: 1, max: 10_000 }, { optional: true })
  maxPerSecond?: number;

  /**
   * Seconds between attempts. Absent: 13 attempts over about 72 hours. In any case a delivery ends `dead` 14 days after
   * acceptance at the latest (paused time and internal errors do not count).
   */
  @RetrySchedule()
  retrySchedule?: number[];

  /** Registers it paused, with the reason `Not live yet`: its deliveries are held until a person resumes it. */
  @Truth({ optional: true, schema: { default: false } })
  paused?: boolean;
}

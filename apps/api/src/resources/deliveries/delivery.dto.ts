import type {
  Count,
  DeliveryState,
  EndReason,
  EventType,
  HoldReason,
  Instant,
  Integer,
  Ordinal,
  Outcome,
  PaginationDto,
  Uuid,
} from '#libs/contracts';

/** Settlement of a dead delivery that a person has dealt with in another way, for example with a file. */
export class SettlementDto {
  at!: Instant;
  /** Name of the API key or person that settled it; null for the consumer's own people. */
  by!: string | null;
  /** Null for the consumer's own people. */
  reason!: string | null;
}

/** One event on its way to one consumer. */
export class DeliveryDto {
  deliveryId!: Uuid;
  notificationId!: Uuid;
  consumerId!: Uuid;
  /** The consumer's current name; a removed consumer keeps its last name. */
  consumerName!: string;
  eventType!: EventType;
  paymentId!: string | null;
  /** The payment's status that the notification reports. */
  status!: string | null;
  /**
   * The states of a pending delivery (`queued`, `sending`, `held`) are derived on each request; `sending` is based on
   * the workers' heartbeats, sent every 2 s.
   */
  state!: DeliveryState;
  /** Why it is held; null unless `state` is `held`. */
  holdReason!: HoldReason | null;
  /** Since when `holdReason` applies; null unless `state` is `held`. */
  heldSince!: Instant | null;
  /** Number of attempts recorded so far, including probes. */
  attemptCount!: Count;
  /** When it is due; null unless `state` is `queued`. */
  nextAttemptAt!: Instant | null;
  lastOutcome!: Outcome | null;
  lastHttpStatus!: Integer | null;
  createdAt!: Instant;
  firstAttemptAt!: Instant | null;
  finishedAt!: Instant | null;
  /**
   * Why it ended; null while it is pending. `pending_too_long`: a delivery ends `dead` 14 days after acceptance at the latest
   * (paused time and internal errors do not count).
   */
  endReason!: EndReason | null;
  /** How a person settled the dead delivery; null if not settled. Retry, replay and cancellation reset it. */
  settlement!: SettlementDto | null;
}

/** One POST and its response. */
export class ExchangeDto {
  startedAt!: Instant;
  durationMs!: Count;
  outcome!: Outcome;
  httpStatus!: Integer | null;
  /** The outcome in words; null for the consumer's own people. */
  detail!: string | null;
  /** Recommended next step, in plain words: for operators, or for the consumer's own people. */
  advice!: string;
  /** The URL as requested and signed. */
  url!: string;
  /**
   * The address that the request was written to; with `EGRESS_PROXY`, the proxy's. Null when nothing was sent, and for the
   * consumer's own people.
   */
  remoteAddress!: string | null;
  credentialVersion!: Integer;
  /** Secrets redacted. */
  requestHeaders!: Record<string, string>;
  /** Null without a response, or if withheld. */
  responseHeaders!: Record<string, string> | null;
  /** The first 4 KiB. Null without a readable body, or if withheld. */
  responseBody!: string | null;
  /** Whether the consumer sent more than `responseBody` shows. */
  responseTruncated!: boolean;
  /** Consumer's clock minus the dispatcher's, if more than a minute: the likeliest cause of refused signatures. */
  clockSkewMs!: Integer | null;
}

/** One POST for a delivery. */
export class AttemptDto extends ExchangeDto {
  number!: Ordinal;
  /** True for viewers: headers and body of the response are withheld, since they may repeat account numbers. */
  responseWithheld!: boolean;
  /** Sent to check whether a consumer with an open circuit answers again. A probe uses no attempt of the schedule. */
  probe!: boolean;
}

export class DeliveryDetailDto extends DeliveryDto {
  /**
   * Only for the consumer's own people: the notification with account numbers in full. Null once it is no longer kept.
   * The bank's people read it with its event.
   */
  envelope?: Record<string, unknown> | null;
  /** Every attempt, the earliest first. */
  attempts!: AttemptDto[];
}

export class DeliveryListDto {
  deliveries!: DeliveryDto[];
  pagination!: PaginationDto;
}

import type { DeliveryState, EventType, HoldReason, Outcome } from '#libs/contracts';

/** A filter of deliveries as it is stored; its times are ISO 8601. */
export interface BulkFilter {
  readonly state?: DeliveryState;
  readonly delivered?: boolean;
  readonly missed?: true;
  readonly settled?: boolean;
  readonly status?: string;
  readonly consumerId?: string;
  readonly eventType?: EventType;
  readonly paymentId?: string;
  readonly notificationId?: string;
  readonly outcome?: Outcome;
  readonly httpStatus?: number;
  readonly holdReason?: HoldReason;
  readonly from?: string;
  readonly to?: string;
}

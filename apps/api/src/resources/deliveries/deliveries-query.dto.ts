import { DeliveryFilter, Joining, PageQueryDto, Text } from '#libs/contracts';

/** Filters of `GET /v1/deliveries`. */
export class DeliveriesQueryDto extends Joining(PageQueryDto, DeliveryFilter) {
  /** A complete payment id, trace number or IMAD. Only the newest 500 events that have it as one of these are searched. */
  @Text({ min: 1, max: 255, optional: true })
  reference?: string;
}

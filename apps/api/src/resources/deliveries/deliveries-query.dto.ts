import { DeliveryFilter, Joining, PageQueryDto } from '#libs/contracts';

/** Filters of `GET /v1/deliveries`. */
export class DeliveriesQueryDto extends Joining(PageQueryDto, DeliveryFilter) {}

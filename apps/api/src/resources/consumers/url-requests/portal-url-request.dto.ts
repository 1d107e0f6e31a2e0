import { Text, type Instant, type PaginationDto } from '#libs/contracts';
import { PickType } from '@nestjs/swagger';
import { UrlRequestDto } from './url-request.dto.js';
import { OptionalReasonDto } from '../../../http/reason.dto.js';

/** `POST /v1/portal/url-requests`. */
export class MakeUrlRequestDto extends OptionalReasonDto {
  /** The same rules as for a registration: https, no user name or password, no fragment. Shown in its canonical form. */
  @Text({
    min: 1,
    max: 2_048,
    schema: { format: 'uri', example: 'https://consumer.example/ach-payments-api/v2/hook' },
  })
  url!: string;
}

/** A requested change of the own URL. */
export class PortalUrlRequestDto extends PickType(UrlRequestDto, ['id', 'url', 'state', 'madeAt']) {
  /** The reason of the request. */
  reason!: string | null;
  /** Name of the key or person that made the request. */
  madeBy!: string;
  /** When the bank decided, or the request was withdrawn; null while it waits. */
  decidedAt!: Instant | null;
  /** Why the bank rejected it; null in every other state. */
  rejectionReason!: string | null;
}

export class PortalUrlRequestListDto {
  urlRequests!: PortalUrlRequestDto[];
  pagination!: PaginationDto;
}

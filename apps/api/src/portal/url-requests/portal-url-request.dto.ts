import { PaginationDto, Text, URL_REQUEST_STATES, type UrlRequestState } from '#libs/contracts';
import { ApiProperty } from '@nestjs/swagger';
import { OptionalReasonDto } from '../../http/optional-reason.dto.js';

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
export class PortalUrlRequestDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ format: 'uri' })
  url!: string;

  @ApiProperty({ enum: URL_REQUEST_STATES })
  state!: UrlRequestState;

  /** The reason of the request. */
  @ApiProperty({ type: String, nullable: true })
  reason!: string | null;

  /** Name of the key or person that made the request. */
  @ApiProperty()
  madeBy!: string;

  @ApiProperty({ format: 'date-time' })
  madeAt!: string;

  /** When the bank decided, or the request was withdrawn; null while it waits. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  decidedAt!: string | null;

  /** Why the bank rejected it; null in every other state. */
  @ApiProperty({ type: String, nullable: true })
  rejectionReason!: string | null;
}

export class PortalUrlRequestListDto {
  @ApiProperty({ type: () => PortalUrlRequestDto, isArray: true })
  urlRequests!: PortalUrlRequestDto[];

  @ApiProperty({ type: () => PaginationDto })
  pagination!: PaginationDto;
}

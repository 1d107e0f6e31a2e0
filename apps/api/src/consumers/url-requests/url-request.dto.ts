import {
  OneOf,
  PageQueryDto,
  PaginationDto,
  URL_REQUEST_STATES,
  type UrlRequestState,
} from '#libs/contracts';
import { ApiProperty } from '@nestjs/swagger';

/** Filters of `GET /v1/url-requests`. */
export class UrlRequestsQueryDto extends PageQueryDto {
  @OneOf(URL_REQUEST_STATES, { optional: true })
  state?: UrlRequestState;
}

/** A change of a consumer's URL that its people requested. */
export class UrlRequestDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ format: 'uuid' })
  consumerId!: string;

  @ApiProperty()
  consumerName!: string;

  /** The requested URL, in its canonical form. */
  @ApiProperty({ format: 'uri' })
  url!: string;

  /** The consumer's URL when the request was made. */
  @ApiProperty({ format: 'uri' })
  urlBefore!: string;

  /** The consumer's URL now. If it differs from `urlBefore`, a waiting request cannot be approved. */
  @ApiProperty({ format: 'uri' })
  currentUrl!: string;

  @ApiProperty({ enum: URL_REQUEST_STATES })
  state!: UrlRequestState;

  @ApiProperty({ type: String, nullable: true })
  reason!: string | null;

  /** Name of the consumer's key or person that made it. */
  @ApiProperty()
  madeBy!: string;

  @ApiProperty({ format: 'date-time' })
  madeAt!: string;

  /** Name of the API key or person that decided or withdrew it; null while it waits. */
  @ApiProperty({ type: String, nullable: true })
  decidedBy!: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  decidedAt!: string | null;

  @ApiProperty({ type: String, nullable: true })
  decisionReason!: string | null;
}

export class UrlRequestListDto {
  @ApiProperty({ type: () => UrlRequestDto, isArray: true })
  urlRequests!: UrlRequestDto[];

  @ApiProperty({ type: () => PaginationDto })
  pagination!: PaginationDto;
}

import {
  OneOf,
  PageQueryDto,
  URL_REQUEST_STATES,
  type Instant,
  type PaginationDto,
  type Url,
  type UrlRequestState,
  type Uuid,
} from '#libs/contracts';

/** Filters of `GET /v1/url-requests`. */
export class UrlRequestsQueryDto extends PageQueryDto {
  @OneOf(URL_REQUEST_STATES, { optional: true })
  state?: UrlRequestState;
}

/** A change of a consumer's URL that its people requested. */
export class UrlRequestDto {
  id!: Uuid;
  consumerId!: Uuid;
  consumerName!: string;
  /** The requested URL, in its canonical form. */
  url!: Url;
  /** The consumer's URL when the request was made. */
  urlBefore!: Url;
  /** The consumer's URL now. If it differs from `urlBefore`, a waiting request cannot be approved. */
  currentUrl!: Url;
  state!: UrlRequestState;
  reason!: string | null;
  /** Name of the consumer's key or person that made it. */
  madeBy!: string;
  madeAt!: Instant;
  /** Name of the API key or person that decided or withdrew it; null while it waits. */
  decidedBy!: string | null;
  decidedAt!: Instant | null;
  decisionReason!: string | null;
}

export class UrlRequestListDto {
  urlRequests!: UrlRequestDto[];
  pagination!: PaginationDto;
}

import type { Count, Integer, Uuid } from './field-types.js';
import type { FieldFault } from './field-fault.js';

export const PROBLEM_MEDIA_TYPE = 'application/problem+json';

/** One broken rule. */
export class FieldFaultDto implements FieldFault {
  /**
   * Path of the field, e.g. `data.achEventInfo.amount`.
   * @example data.achEventInfo.amount
   */
  field!: string;

  /** @example "must be digits, a point and digits" */
  message!: string;
}

/** Problem details (RFC 9457). */
export class ProblemDto {
  /**
   * `about:blank`: the status is the whole type.
   * @example about:blank
   */
  type!: string;

  /** @example "Unprocessable Content" */
  title!: string;

  /** @example 422 */
  status!: Integer;

  /** The fault and what to do. */
  detail!: string;

  /** Finds the request in the logs. */
  requestId!: Uuid;

  /** Every fault at once. */
  errors?: FieldFaultDto[];

  /** Matching deliveries, when more than `expectedCount`; null when they could not be counted in time. */
  matched?: Count | null;

  /** The reason, for programs, where the status has several. */
  code?: 'cancelled_by_bank';
}

/** HTTP status phrases (RFC 9110), as `about:blank` requires. */
const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  409: 'Conflict',
  413: 'Content Too Large',
  414: 'URI Too Long',
  415: 'Unsupported Media Type',
  417: 'Expectation Failed',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};

/** Builds a problem; `errors`, `matched` and `code` only when given. */
export function problem(given: {
  readonly status: number;
  readonly detail: string;
  readonly requestId: string;
  readonly errors?: readonly FieldFault[];
  readonly matched?: number | null;
  readonly code?: 'cancelled_by_bank';
}): ProblemDto {
  return {
    type: 'about:blank',
    title: TITLES[given.status] ?? 'Error',
    status: given.status,
    detail: given.detail,
    requestId: given.requestId,
    ...(given.errors === undefined ? {} : { errors: [...given.errors] }),
    ...(given.matched === undefined ? {} : { matched: given.matched }),
    ...(given.code === undefined ? {} : { code: given.code }),
  };
}

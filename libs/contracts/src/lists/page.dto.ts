import { ApiProperty } from '@nestjs/swagger';
import { Whole } from '../rules/values.js';

const MAX_LIMIT = 1_000;
const DEFAULT_LIMIT = 100;

/** The sum of offset and limit is a safe integer. */
const OFFSET = { min: 0, max: Number.MAX_SAFE_INTEGER - MAX_LIMIT };
const LIMIT = { min: 1, max: MAX_LIMIT };

/** The query of every list (specification, "List calls"). */
export class PageQueryDto {
  /** Records to skip from the start. */
  @Whole(OFFSET, { optional: true, schema: { default: 0 } })
  offset?: number;

  /** Records to return. */
  @Whole(LIMIT, { optional: true, schema: { default: DEFAULT_LIMIT } })
  limit?: number;
}

export interface Page {
  readonly offset: number;
  readonly limit: number;
}

/** The page of a checked query. */
export const pageOf = ({ offset = 0, limit = DEFAULT_LIMIT }: PageQueryDto): Page => ({ offset, limit });

/** Offset of the next call, and whether there are more records (specification, "Pagination object"). */
export class PaginationDto {
  @ApiProperty({ example: '100', pattern: '^\\d+$' })
  offset!: string;

  moreRecords!: boolean;
}

/**
 * A page of a list, its array named after the resource. `rows` has one more than the page when there are more records, so
 * that none need be counted. (An overload, since TypeScript types a computed name as any string.)
 */
export function paginated<N extends string, T>(
  resource: N,
  rows: readonly T[],
  page: Page,
): Record<N, T[]> & { pagination: PaginationDto };
export function paginated(resource: string, rows: readonly unknown[], page: Page): object {
  const shown = rows.slice(0, page.limit);
  const pagination: PaginationDto = {
    offset: String(page.offset + shown.length),
    moreRecords: rows.length > page.limit,
  };
  return { [resource]: shown, pagination };
}

/** For clients: whether there are more records. The specification's sample spells it `moreResults`. */
export function hasMore(pagination: {
  readonly moreRecords?: boolean;
  readonly moreResults?: boolean;
}): boolean {
  return pagination.moreRecords ?? pagination.moreResults ?? false;
}

import type { Instant, PaginationDto, Uuid } from '#libs/contracts';

/** A key of the own consumer, without the key itself. */
export class PortalKeyDto {
  id!: Uuid;

  name!: string;

  createdAt!: Instant;

  expiresAt!: Instant | null;

  revokedAt!: Instant | null;

  /** Last use, accurate to the minute; null: never used. */
  lastUsedAt!: Instant | null;

  /** Whether it is the session of a person who used a sign-in link, not a key. Revoking it ends the session. */
  isSession!: boolean;
}

export class PortalKeyCreatedDto extends PortalKeyDto {
  /**
   * The key itself. Only this response contains it.
   * @example pnd_…
   */
  key!: string;
}

export class PortalKeyListDto {
  keys!: PortalKeyDto[];

  pagination!: PaginationDto;
}

import type { PaginationDto } from '#libs/contracts';
import { PickType } from '@nestjs/swagger';
import { ApiKeyDto } from '../../../access/api-key.dto.js';

/** A key of the own consumer, without the key itself. */
export class PortalKeyDto extends PickType(ApiKeyDto, [
  'id',
  'name',
  'createdAt',
  'expiresAt',
  'revokedAt',
  'lastUsedAt',
]) {
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

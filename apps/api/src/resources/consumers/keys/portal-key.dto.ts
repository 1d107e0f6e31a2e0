import type { PaginationDto } from '#libs/contracts';
import { PickType } from '@nestjs/swagger';
import { KeyOrSessionDto } from '../../../access/api-key.dto.js';

/** A key of the own consumer, without the key itself. */
export class PortalKeyDto extends PickType(KeyOrSessionDto, [
  'id',
  'name',
  'createdAt',
  'expiresAt',
  'revokedAt',
  'lastUsedAt',
  'isSession',
]) {}

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

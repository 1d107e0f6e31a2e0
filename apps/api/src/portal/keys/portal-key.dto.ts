import { PaginationDto } from '#libs/contracts';
import { ApiProperty } from '@nestjs/swagger';

/** A key of the own consumer, without the key itself. */
export class PortalKeyDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty()
  name!: string;

  @ApiProperty({ format: 'date-time' })
  createdAt!: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  expiresAt!: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  revokedAt!: string | null;

  /** Last use, accurate to the minute; null: never used. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  lastUsedAt!: string | null;

  /** Whether it is the session of a person who used a sign-in link, not a key. Revoking it ends the session. */
  @ApiProperty()
  isSession!: boolean;
}

export class PortalKeyCreatedDto extends PortalKeyDto {
  /** The key itself. Only this response contains it. */
  @ApiProperty({ example: 'pnd_…' })
  key!: string;
}

export class PortalKeyListDto {
  @ApiProperty({ type: () => PortalKeyDto, isArray: true })
  keys!: PortalKeyDto[];

  @ApiProperty({ type: () => PaginationDto })
  pagination!: PaginationDto;
}

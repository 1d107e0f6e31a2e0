import type { PaginationDto } from '#libs/contracts';
import { ApiProperty } from '@nestjs/swagger';

export class NotificationListDto {
  /** Envelopes, exactly as they are delivered. */
  @ApiProperty({ type: 'array', items: { type: 'object', additionalProperties: true } })
  events!: Record<string, unknown>[];

  pagination!: PaginationDto;
}

import { ApiProperty } from '@nestjs/swagger';

/** Whether the dispatcher sends at all. */
export class SendingDto {
  @ApiProperty({ enum: ['active', 'paused'] })
  state!: 'active' | 'paused';

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  pausedAt!: string | null;
}

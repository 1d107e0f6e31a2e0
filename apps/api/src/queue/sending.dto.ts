import { ApiProperty } from '@nestjs/swagger';

/** Pausing and resuming the sending to all consumers. */
export class SendingDto {
  @ApiProperty({ enum: ['active', 'paused'] })
  state!: 'active' | 'paused';

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  pausedAt!: string | null;
}

import { ApiProperty } from '@nestjs/swagger';

/** The servers that the dispatcher needs. */
export const PART_NAMES = ['postgres', 'redis'] as const;
export type PartName = (typeof PART_NAMES)[number];

export const PART_STATES = ['up', 'down'] as const;
export type PartState = (typeof PART_STATES)[number];

/** One of the servers that the dispatcher needs, as this process sees it. */
export class PartDto {
  @ApiProperty({ enum: PART_NAMES })
  name!: PartName;

  @ApiProperty({ enum: PART_STATES })
  state!: PartState;

  /** Since when it has been in this state, as far as this process has seen. */
  @ApiProperty({ format: 'date-time' })
  since!: string;

  /** What was said when it was asked; when it is down. */
  @ApiProperty({ type: String, nullable: true })
  detail!: string | null;

  /** What this means and what to do; when it is down. */
  @ApiProperty({ type: String, nullable: true })
  whatToDo!: string | null;
}

/** `GET /v1/status`. */
export class StatusDto {
  @ApiProperty({ format: 'date-time' })
  asOf!: string;

  /** Redis only where the queue lives in it. */
  @ApiProperty({ type: () => PartDto, isArray: true })
  parts!: PartDto[];
}

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

  /** Since when this process has observed this state. */
  @ApiProperty({ format: 'date-time' })
  since!: string;

  /** The fault; null while it is up, and without the role viewer. */
  @ApiProperty({ type: String, nullable: true })
  detail!: string | null;

  /** Effect of the outage, and what to do; null while it is up, and without the role viewer. */
  @ApiProperty({ type: String, nullable: true })
  whatToDo!: string | null;
}

/** Response of `GET /v1/status`. */
export class StatusDto {
  @ApiProperty({ format: 'date-time' })
  asOf!: string;

  /** Redis is listed only if the queue uses it. */
  @ApiProperty({ type: () => PartDto, isArray: true })
  parts!: PartDto[];
}

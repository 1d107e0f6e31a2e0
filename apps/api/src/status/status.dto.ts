import type { Instant } from '#libs/contracts';

/** The servers that the dispatcher needs. */
export type PartName = 'postgres' | 'redis';

export type PartState = 'up' | 'down';

/** One of the servers that the dispatcher needs, as this process sees it. */
export class PartDto {
  name!: PartName;
  state!: PartState;
  /** Since when this process has observed this state. */
  since!: Instant;
  /** The fault; null while it is up, and without the role viewer. */
  detail!: string | null;
  /** Effect of the outage, and what to do; null while it is up, and without the role viewer. */
  whatToDo!: string | null;
}

/** Response of `GET /v1/status`. */
export class StatusDto {
  asOf!: Instant;
  /** Redis is listed only if the queue uses it. */
  parts!: PartDto[];
}

import { InstantText, UuidText } from '#libs/contracts';

/** Parameters of `GET /v1/stats`. */
export class StatsQueryDto {
  /** One consumer; absent: all consumers, or the caller's own. */
  @UuidText({ optional: true })
  consumerId?: string;

  /** Start of the range; absent: one hour before `to`. */
  @InstantText({ optional: true })
  from?: Date;

  /** End of the range, exclusive; absent: now. */
  @InstantText({ optional: true })
  to?: Date;
}

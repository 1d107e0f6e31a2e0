import { ListOf, Text } from '#libs/contracts';
import { isTimeZone } from '#libs/policy';

const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;

/** The hours in which a channel receives messages. Outside them messages wait for the hours to begin. */
export class ChannelHoursDto {
  /** IANA name. */
  @Text({
    min: 1,
    max: 64,
    also: (text) =>
      isTimeZone(text) ? null : 'must be the IANA name of a time zone, such as America/New_York',
    schema: { example: 'America/New_York' },
  })
  timeZone!: string;

  /** 1 is Monday, 7 is Sunday. Hours over midnight belong to the day on which they begin. */
  @ListOf(
    (value) =>
      typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 7
        ? null
        : 'must be a whole number from 1 (Monday) to 7 (Sunday)',
    { min: 1, max: 7, items: { type: 'integer', minimum: 1, maximum: 7 } },
    { schema: { example: [1, 2, 3, 4, 5] } },
  )
  days!: number[];

  /** Inclusive. */
  @Text({ pattern: TIME, patternInWords: 'must be a time as HH:MM', schema: { example: '08:00' } })
  from!: string;

  /** Exclusive; if it is not after `from`, on the next day. */
  @Text({ pattern: TIME, patternInWords: 'must be a time as HH:MM', schema: { example: '18:00' } })
  to!: string;
}

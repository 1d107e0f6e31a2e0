/** The hours in which a channel receives messages. */
export interface ChannelHours {
  /** IANA name, such as `America/New_York`. */
  readonly timeZone: string;
  /** 1 is Monday, 7 is Sunday. A period over midnight belongs to the day on which it begins. */
  readonly days: readonly number[];
  /** `HH:MM`, inclusive. */
  readonly from: string;
  /** `HH:MM`, exclusive; not after `from`: on the next day. */
  readonly to: string;
}

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const DAY_MINUTES = 1_440;

/** Whether an instant is within the hours, by the clocks of their time zone. */
export function isWithinHours({ timeZone, days, from, to }: ChannelHours, at: Date): boolean {
  const { day, minute } = localTime(at, timeZone);
  const [begin, end] = [minutesOf(from), minutesOf(to)];
  const length = end > begin ? end - begin : end - begin + DAY_MINUTES;
  return days.some((begun) => {
    const since =
      (((day - begun + 7) % 7) * DAY_MINUTES + minute - begin + 7 * DAY_MINUTES) % (7 * DAY_MINUTES);
    return since < length;
  });
}

/** Whether a text is the name of a time zone. */
export function isTimeZone(text: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: text }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

const minutesOf = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(3, 5));

function localTime(at: Date, timeZone: string): { day: number; minute: number } {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]));
  return {
    day: DAYS.indexOf(parts.get('weekday') ?? '') + 1,
    minute: Number(parts.get('hour')) * 60 + Number(parts.get('minute')),
  };
}

import { Text, Tooltip } from '@mantine/core';
import { durationInWords } from './duration-in-words';
import { fromNow, inLocalTime, inUtc } from './moment-in-words';
import { useNow } from './use-now';

interface TimeProps {
  /** ISO 8601; null shows `absent`. */
  at: string | null;
  absent?: string;
}

/** A moment: how long ago, in UTC, and under the pointer on the reader's own clock. */
export function Time({ at, absent = '–' }: TimeProps) {
  const now = useNow();
  if (at === null) return <span>{absent}</span>;
  const moment = new Date(at);
  const local = `${inLocalTime(moment)} (your time)`;
  return (
    <Tooltip label={local} withArrow events={{ hover: true, focus: true, touch: true }}>
      <time dateTime={at} title={local}>
        {fromNow(moment, now)}{' '}
        <Text span inherit fz="0.9em" style={{ whiteSpace: 'nowrap' }}>
          ({inUtc(moment)})
        </Text>
      </time>
    </Tooltip>
  );
}

/** How long something has been so: `for 56 s (since 04:48:25)`. */
export function Age({ at }: { at: string | null }) {
  const now = useNow();
  if (at === null) return <span>–</span>;
  const since = new Date(at);
  return (
    <time dateTime={at} title={inUtc(since)}>
      for {durationInWords(Math.max(1_000, now - since.getTime()))} (since {since.toISOString().slice(11, 19)}
      )
    </time>
  );
}

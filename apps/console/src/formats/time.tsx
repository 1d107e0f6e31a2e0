import { durationInWords } from './duration-in-words';
import { bothZones, fullMoment, shortMoment } from './moment-in-words';
import { useNow, useToday, useZone } from './clock';

interface TimeProps {
  /** ISO 8601; null shows `absent`. */
  at: string | null;
  absent?: string;
}

/** A moment in the chosen zone, `04:48:25` or `22 Nov 04:48:25`; the tooltip has UTC and local time. */
export function Time({ at, absent = '–' }: TimeProps) {
  const zone = useZone();
  const today = useToday(zone);
  if (at === null) return <span>{absent}</span>;
  const moment = new Date(at);
  return (
    <time dateTime={at} title={bothZones(moment)} style={TOGETHER}>
      {shortMoment(moment, zone, today)}
    </time>
  );
}

/** The time since a moment: `for 56 s (since 04:48:25)`. */
export function Age({ at }: Pick<TimeProps, 'at'>) {
  const now = useNow();
  if (at === null) return <Time at={null} />;
  return (
    <>
      for {durationInWords(Math.max(1_000, now - Date.parse(at)))} (since <Time at={at} />)
    </>
  );
}

/** Formats moments in texts, in the chosen zone: `22 Nov 2026, 04:48:25 UTC`. */
export function useMomentInWords(): (at: string) => string {
  const zone = useZone();
  return (at) => fullMoment(new Date(at), zone);
}

const TOGETHER = { whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' } as const;

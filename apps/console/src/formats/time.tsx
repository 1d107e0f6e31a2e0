import { createContext, useContext } from 'react';
import { agoInWords, durationInWords } from './duration-in-words';
import { bothZones, fullMoment, shortMoment } from './moment-in-words';
import { useNow, useToday, useZone } from './clock';

interface TimeProps {
  /** ISO 8601; null shows `absent`. */
  at: string | null;
  absent?: string;
  /** The moment itself, also in a table. */
  isExact?: boolean;
}

/** Whether times are relative here: in a table, whose reader compares ages. */
const Relative = createContext(false);
export const RelativeTimes = Relative.Provider;

/** A moment, `04:48:25` or `22 Nov 04:48:25` in the chosen zone, or in a table `2 min ago`; the tooltip has UTC and local time. */
export function Time({ at, absent = '–', isExact = false }: TimeProps) {
  const isRelative = useContext(Relative) && !isExact;
  const zone = useZone();
  const today = useToday(zone);
  const now = useNow();
  if (at === null) return <span>{absent}</span>;
  const moment = new Date(at);
  return (
    <time dateTime={at} title={bothZones(moment)} style={TOGETHER}>
      {isRelative ? agoInWords(moment.getTime() - now) : shortMoment(moment, zone, today)}
    </time>
  );
}

/** The time since a moment: `for 56 s (since 04:48:25)`, or in a table `for 56 s`. */
export function Age({ at }: Pick<TimeProps, 'at'>) {
  const isRelative = useContext(Relative);
  const now = useNow();
  if (at === null) return <Time at={null} />;
  return (
    <span title={bothZones(new Date(at))} style={isRelative ? TOGETHER : {}}>
      for {durationInWords(Math.max(1_000, now - Date.parse(at)))}
      {!isRelative && (
        <>
          {' '}
          (since <Time at={at} />)
        </>
      )}
    </span>
  );
}

/** Formats moments in texts, in the chosen zone: `22 Nov 2026, 04:48:25 UTC`. */
export function useMomentInWords(): (at: string) => string {
  const zone = useZone();
  return (at) => fullMoment(new Date(at), zone);
}

const TOGETHER = { whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' } as const;

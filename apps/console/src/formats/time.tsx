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
  if (at === null) return <span>{absent}</span>;
  return (
    <time dateTime={at} title={bothZones(new Date(at))} style={TOGETHER}>
      {isRelative ? <Ago at={at} /> : <Moment at={at} />}
    </time>
  );
}

function Moment({ at }: { at: string }) {
  const zone = useZone();
  return shortMoment(new Date(at), zone, useToday(zone));
}

const Ago = ({ at }: { at: string }) => agoInWords(Date.parse(at) - useNow());

/** The time since a moment: `for 56 s (since 04:48:25)`, or in a table `for 56 s`. */
export function Age({ at }: Pick<TimeProps, 'at'>) {
  const now = useNow();
  const isRelative = useContext(Relative);
  if (at === null) return <Time at={null} />;
  const words = `for ${durationInWords(Math.max(1_000, now - Date.parse(at)))}`;
  if (isRelative)
    return (
      <time dateTime={at} title={`since ${bothZones(new Date(at))}`} style={TOGETHER}>
        {words}
      </time>
    );
  return (
    <>
      {words} (since <Time at={at} />)
    </>
  );
}

/** Formats moments in texts, in the chosen zone: `22 Nov 2026, 04:48:25 UTC`. */
export function useMomentInWords(): (at: string) => string {
  const zone = useZone();
  return (at) => fullMoment(new Date(at), zone);
}

const TOGETHER = { whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' } as const;

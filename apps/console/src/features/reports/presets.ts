interface Range {
  readonly from: string;
  readonly to: string;
}

const HOUR_MS = 3_600_000;

const last =
  (hours: number) =>
  (now: Date): Range => ({
    from: new Date(now.getTime() - hours * HOUR_MS).toISOString(),
    to: now.toISOString(),
  });

/** From 22:00 to 06:00 on the reader's clock: the night that ended today, or is about to. */
function lastNight(now: Date): Range {
  const [from, to] = [new Date(now), new Date(now)];
  to.setHours(6, 0, 0, 0);
  from.setDate(from.getDate() - 1);
  from.setHours(22, 0, 0, 0);
  return { from: from.toISOString(), to: to.toISOString() };
}

export const PRESETS = [
  { label: 'Last night (22:00–06:00)', range: lastNight },
  { label: 'Last 24 h', range: last(24) },
  { label: 'Last 7 days', range: last(7 * 24) },
] as const;

import type { Schema } from '../../api';
import { countInWords } from '../../formats/count-in-words';
import { dayAndMonth, dayOf, hourAndMinute, type Zone } from '../../formats/moment-in-words';

export type HistoryRow = Schema<'StatsPointDto'>;

/** The steps of a range with counts per minute, for any length of step. */
export function historyRows({ points, stepSeconds }: Schema<'StatsDto'>): HistoryRow[] {
  const perMinute = (count: number): number => Math.round((count / (stepSeconds / 60)) * 10) / 10;
  return points.map((point) => ({
    ...point,
    accepted: perMinute(point.accepted),
    delivered: perMinute(point.delivered),
    failedAttempts: perMinute(point.failedAttempts),
  }));
}

/** The rows from one before the first that is not empty, or all if each is. */
export function fromFirstEvent<Row>(rows: readonly Row[], isEmpty: (row: Row) => boolean): readonly Row[] {
  return rows.slice(Math.max(0, rows.findIndex((row) => !isEmpty(row)) - 1));
}

/** A time in which a consumer was down; `to` is null while it is. */
export interface Outage {
  readonly from: string;
  readonly to: string | null;
}

/** The outages within the rows, with the rows at which each begins and ends. */
export const outageSpans = (rows: readonly HistoryRow[], outages: readonly Outage[]) =>
  outages.flatMap((outage) => {
    const begin = rows.findLast(({ at }) => at <= outage.from) ?? rows[0];
    const end = outage.to === null ? rows.at(-1) : rows.findLast(({ at }) => at <= (outage.to ?? ''));
    if (begin === undefined || end === undefined) return [];
    return [{ ...outage, x1: begin.at, x2: end.at, isLate: rows.indexOf(begin) > rows.length * (2 / 3) }];
  });

/** A summary of the charts. */
export function historyInWords({ points, stepSeconds }: Schema<'StatsDto'>): string {
  const sum = (name: 'accepted' | 'delivered' | 'failedAttempts' | 'dead'): string =>
    countInWords(points.reduce((total, point) => total + point[name], 0));
  const step = stepSeconds === 60 ? 'minute' : `${String(stepSeconds / 60)} minutes`;
  return `Events accepted: ${sum('accepted')}. Deliveries: ${sum('delivered')} delivered, ${sum('dead')} dead. Attempts failed: ${sum('failedAttempts')}. One point per ${step}.`;
}

/** Minutes between two ticks of the axis; the last one is a day. */
const TICK_MINUTES = [1, 2, 5, 10, 60, 180, 1_440] as const;
const MOST_TICKS = 9;

/** The labels of the time axis by step: at round times in that zone. */
export function axisTicks(rows: readonly HistoryRow[], zone: Zone): ReadonlyMap<string, string> {
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined) return new Map();
  const minutes = (Date.parse(last.at) - Date.parse(first.at)) / 60_000;
  const every = TICK_MINUTES.find((one) => minutes / one <= MOST_TICKS) ?? 1_440;
  const spanOf = (at: Date): string => {
    const [hour = '0', minute = '0'] = hourAndMinute(at, zone).split(':');
    return `${dayOf(at, zone)} ${String(Math.floor((Number(hour) * 60 + Number(minute)) / every))}`;
  };
  const ticks = new Map<string, string>();
  let before = spanOf(new Date(first.at));
  for (const row of rows) {
    const at = new Date(row.at);
    const span = spanOf(at);
    if (span !== before)
      ticks.set(row.at, span.endsWith(' 0') ? dayAndMonth(at, zone) : hourAndMinute(at, zone));
    before = span;
  }
  return ticks;
}

/** Whether a point has no neighbours, so that a line would not show it. */
export function isAlone(rows: readonly HistoryRow[], index: number, name: keyof HistoryRow): boolean {
  const has = (at: number): boolean => rows[at]?.[name] != null;
  return has(index) && !has(index - 1) && !has(index + 1);
}

/** Whether no event was accepted and no attempt made in a step. */
export const isIdle = ({ accepted, delivered, failedAttempts }: HistoryRow): boolean =>
  accepted + delivered + failedAttempts === 0;

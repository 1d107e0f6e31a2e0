import type { Schema } from '../../api/schema';

export interface HistoryRow {
  at: string;
  accepted: number;
  delivered: number;
  failed: number;
  latencyP50Ms: number | null;
  latencyP95Ms: number | null;
}

/** The steps of a range with their counts per minute, whatever the step’s length. */
export function historyRows({ points, stepSeconds }: Schema<'StatsDto'>): HistoryRow[] {
  const perMinute = (count: number): number => Math.round((count / (stepSeconds / 60)) * 10) / 10;
  return points.map(({ at, accepted, delivered, failedAttempts, latencyP50Ms, latencyP95Ms }) => ({
    at,
    accepted: perMinute(accepted),
    delivered: perMinute(delivered),
    failed: perMinute(failedAttempts),
    latencyP50Ms,
    latencyP95Ms,
  }));
}

/** What the charts show, in one sentence. */
export function historyInWords({ points, stepSeconds }: Schema<'StatsDto'>): string {
  const sum = (count: (point: Schema<'StatsPointDto'>) => number): string =>
    points.reduce((total, point) => total + count(point), 0).toLocaleString('en-GB');
  const [accepted, delivered] = [sum((point) => point.accepted), sum((point) => point.delivered)];
  const [failed, dead] = [sum((point) => point.failedAttempts), sum((point) => point.dead)];
  return `In all ${accepted} events accepted, ${delivered} deliveries delivered, ${failed} attempts failed, ${dead} deliveries dead. Each point stands for ${stepSeconds === 60 ? 'a minute' : `${String(stepSeconds / 60)} minutes`}.`;
}

/** What an installation needs; the properties have the order of the columns of docs/sizing.md. */
export interface Sizing {
  /** Events a second at the peak. */
  readonly peak: number;
  readonly apis: number;
  readonly workers: number;
  /** Of all apis and workers. */
  readonly processesMiB: number;
  readonly postgresCores: number;
  readonly diskGB: number;
  readonly walGBPerDay: number;
  readonly connections: number;
}

const SECONDS_A_DAY = 86_400;
const GB = 1e9;

/**
 * The formulas of docs/sizing.md, in the order of the page.
 * @param of the value that the page gives to a name
 */
export function sizingOf(eventsADay: number, of: (name: string) => number): Sizing {
  const peak = (eventsADay / SECONDS_A_DAY) * of('peak');
  const attempts = of('deliveries') * (1 + of('failures'));
  const cores = (millisecondsAnEvent: number): number => (peak * millisecondsAnEvent) / 1_000 / of('use');
  const slots = (peak * attempts * of('answer')) / of('use');
  const apis = Math.max(2, Math.ceil(cores(of('api'))));
  const workers = Math.max(2, Math.ceil(cores(attempts * of('worker'))), Math.ceil(slots / of('slots')));
  const history =
    of('event') +
    of('payment') / of('statuses') +
    of('deliveries') *
      (of('delivery') + of('attempt') + of('failures') * of('failed') + 2 * of('statistics'));
  const disk = history * (of('retention') + 7) + of('key') * 7;
  const wal =
    of('wal.checkpoints') +
    (of('deliveries') - 1) * of('wal.delivery') +
    of('deliveries') * of('failures') * of('wal.failed');
  const pools = of('general') + of('pipeline') + of('lists') + of('consumers');
  return {
    peak: Math.ceil(peak),
    apis,
    workers,
    processesMiB: Math.ceil((apis + workers) * of('memory')),
    postgresCores: Math.max(2, Math.ceil(cores(attempts * of('postgres')))),
    diskGB: Math.ceil((eventsADay * disk * of('reserve')) / GB),
    walGBPerDay: Math.ceil((eventsADay * wal + SECONDS_A_DAY * of('wal.idle')) / GB),
    connections: (apis + workers) * pools + of('others'),
  };
}

/** What installations need; the properties have the order of the columns of docs/sizing.md. */
export interface Sizing {
  /** Events a second at the peak, of all installations. All that follows is of each installation. */
  readonly peak: number;
  readonly installations: number;
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
  const allPeak = (eventsADay / SECONDS_A_DAY) * of('peak');
  const attempts = of('deliveries') * (1 + of('failures'));
  const installations = Math.ceil((allPeak * attempts) / of('use') / of('rate.hundred'));
  const [peak, ownEventsADay] = [allPeak / installations, eventsADay / installations];
  // An event costs less when more of them share a statement.
  const rate = peak < 300 ? '100' : '500';
  const cores = (millisecondsAnEvent: number): number => (peak * millisecondsAnEvent) / 1_000 / of('use');
  const slots = (peak * attempts * of('answer')) / of('use');
  const apis = Math.max(2, Math.ceil(cores(of(`api.${rate}`))));
  const workers = Math.max(
    2,
    Math.ceil(cores(attempts * of(`worker.${rate}`))),
    Math.ceil(slots / of('slots')),
  );
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
    peak: Math.ceil(allPeak),
    installations,
    apis,
    workers,
    processesMiB: Math.ceil((apis + workers) * of('memory')),
    postgresCores: Math.max(2, Math.ceil(cores(attempts * of(`postgres.${rate}`)))),
    diskGB: Math.ceil((ownEventsADay * disk * of('reserve')) / GB),
    walGBPerDay: Math.ceil((ownEventsADay * wal + SECONDS_A_DAY * of('wal.idle')) / GB),
    connections: (apis + workers) * pools + of('others'),
  };
}

const WEEK_S = 7 * SECONDS_A_DAY;
/** The most that PostgreSQL stores in one table or partition. */
const TABLE_BYTES = 32 * 2 ** 40;

/** The rate at which each part breaks, as docs/sizing.md calculates it, by the name of its row. */
export const limitsOf = (of: (name: string) => number): Readonly<Record<string, number>> => ({
  'limit.consumer': of('concurrency') / of('answer'),
  'limit.slots': of('slots') / of('answer'),
  'limit.retention': of('trimmed') / of('trimming'),
  'limit.api': 1_000 / of('api.full'),
  'limit.worker': 1_000 / of('worker.full'),
  'limit.postgres': 1_000 / of('postgres.full'),
  'limit.due': of('dead') / of('naptime'),
  'limit.commits': of('commits.several') / of('commits.full'),
  'limit.wal': of('wal.most') / of('wal.checkpoints'),
  'limit.table': TABLE_BYTES / WEEK_S / of('event'),
});

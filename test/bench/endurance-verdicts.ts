import { median } from '#test/bench/numbers';

/** Tables that every event changes, and that do not grow with the history. */
export const HOT_TABLES = ['pending_deliveries', 'consumer_runtime', 'payments', 'idempotency_keys'] as const;

/** What is measured every ten seconds, with its unit. `heap` and `backlog` vary by nature and have no limit. */
export const SERIES = {
  'memory.api': 'MiB',
  'memory.worker': 'MiB',
  'memory.postgres': 'MiB',
  'memory.backend': 'MiB',
  'memory.redis': 'MiB',
  'heap.api': 'MiB',
  'heap.worker': 'MiB',
  'ms.accept': 'ms',
  'ms.fetch': 'ms',
  'ms.record': 'ms',
  'ms.retention': 'ms',
  'size.pending_deliveries': 'MiB',
  'size.consumer_runtime': 'MiB',
  'size.payments': 'MiB',
  'size.idempotency_keys': 'MiB',
  'size.history': 'MiB',
  'dead.pending_deliveries': 'rows',
  'dead.consumer_runtime': 'rows',
  'dead.payments': 'rows',
  'dead.idempotency_keys': 'rows',
  'rate.delivered': '1/s',
  backlog: 'rows',
  'accept.p50': 'ms',
  'accept.p99': 'ms',
  'arrival.p50': 'ms',
  'arrival.p99': 'ms',
} as const;

export type Series = keyof typeof SERIES;
export const seriesNames = Object.keys(SERIES).filter((name): name is Series => name in SERIES);

/** One measurement; `second` counts from the beginning of the load. */
export type Sample = Readonly<Record<Series | 'second', number>>;

export const isSample = (values: object): values is Sample => seriesNames.every((name) => name in values);

/** Events and partitions of the whole run. */
export interface Totals {
  readonly posted: number;
  readonly notArrived: number;
  /** Slices of ten seconds with a refused request. */
  readonly refused: number;
  readonly partitionsMade: number;
  readonly partitionsDropped: number;
}

export interface Verdict {
  readonly name: string;
  readonly must: string;
  readonly reference: number;
  readonly worst: number;
  readonly isMet: boolean;
}

/** Of the whole run; the first part is not judged, the second one is the reference of the others. */
const PARTS = 6;
const MEMORY_SHARE = 0.05;
/** MiB that count as flat where five per cent are less: buffers of a client, or some connections of a pool more. */
const MEMORY_LEAST: Partial<Record<Series, number>> = {
  'memory.redis': 1,
  'memory.backend': 1,
  'memory.postgres': 10,
};
const TIMES = 1.25;
const SIZES = 1.5;
/** In each third of a run. */
const LEAST_DROPPED = 6;

/** The values of a series in each sixth of the run. */
export const partsOf = (samples: readonly Sample[], series: Series): number[][] =>
  Array.from({ length: PARTS }, (_, part) =>
    samples
      .slice(Math.round((part * samples.length) / PARTS), Math.round(((part + 1) * samples.length) / PARTS))
      .map((sample) => sample[series]),
  );

/** Whether memory and statement times stayed flat, the hot tables bounded, and everything arrived. */
export function verdictsOf(samples: readonly Sample[], totals: Totals): Verdict[] {
  const { notArrived, refused, partitionsDropped } = totals;
  return [
    ...seriesNames.filter((name) => name.startsWith('memory.')).map((name) => flatMemory(samples, name)),
    ...(['ms.accept', 'ms.fetch', 'ms.record'] as const).map((name) => flatTime(samples, name)),
    ...HOT_TABLES.map((table) => boundedSize(samples, `size.${table}`)),
    { name: 'not arrived', must: '0 events', reference: 0, worst: notArrived, isMet: notArrived === 0 },
    { name: 'refused', must: '0 requests', reference: 0, worst: refused, isMet: refused === 0 },
    {
      name: 'partitions dropped',
      must: `at least ${String(LEAST_DROPPED)}`,
      reference: LEAST_DROPPED,
      worst: partitionsDropped,
      isMet: partitionsDropped >= LEAST_DROPPED,
    },
  ];
}

function flatMemory(samples: readonly Sample[], name: Series): Verdict {
  const [, reference = Number.NaN, ...later] = partsOf(samples, name).map(median);
  const least = MEMORY_LEAST[name] ?? 0;
  const allowed = Math.max(reference * MEMORY_SHARE, least);
  const worst = farthest(later, reference);
  const must = `each later median within 5 %${least === 0 ? '' : ` or ${String(least)} MiB`} of the reference`;
  return { name, must, reference, worst, isMet: Math.abs(worst - reference) <= allowed };
}

function flatTime(samples: readonly Sample[], name: Series): Verdict {
  const [, reference = Number.NaN, ...later] = partsOf(samples, name).map(median);
  const worst = Math.max(...later);
  const must = `each later median at most ${String(TIMES)} times the reference`;
  return { name, must, reference, worst, isMet: worst <= reference * TIMES };
}

function boundedSize(samples: readonly Sample[], name: Series): Verdict {
  const parts = partsOf(samples, name);
  const [reference, worst] = [Math.max(...parts.slice(0, 2).flat()), Math.max(...parts.slice(4).flat())];
  const must = `most in the last third at most ${String(SIZES)} times the most in the first third`;
  return { name, must, reference, worst, isMet: worst <= reference * SIZES };
}

const farthest = (values: readonly number[], from: number): number =>
  values.reduce((worst, value) => (Math.abs(value - from) > Math.abs(worst - from) ? value : worst), from);

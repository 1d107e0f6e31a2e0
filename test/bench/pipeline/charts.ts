import { drawBars, type Bars } from '#test/bench/pipeline/draw-bars';
import type { Figure, Figures } from '#test/bench/pipeline/figures';

/** A chart of the page, as a file. */
export interface Chart {
  readonly file: string;
  readonly title: string;
  readonly svg: string;
}

const CPU = ['api', 'worker', 'postgres', 'redis', 'consumers', 'producers'];

export function chartsOf(figures: Figures): Chart[] {
  const of = (names: readonly string[]): Figure[] => names.map((name) => figures.named(name));
  return [
    draw('bench-rates.svg', rates(of(RATES))),
    draw('bench-steadiness.svg', steadiness(of(STEADINESS))),
    draw('bench-latency.svg', latency(figures)),
    draw('bench-cpu.svg', {
      title: 'Processor time a delivery, by process',
      unit: 'µs',
      names: CPU,
      series: [
        { name: 'processor time', colour: 'blue', values: CPU.map((name) => figures.valueOf(`cpu.${name}`)) },
      ],
    }),
  ];
}

const RATES = ['accept.single', 'accept.batch', 'drain', 'sustained.one', 'sustained.batch'];

/** The product beside itself under better circumstances. */
const STEADINESS = [
  'sustained.hundred',
  'history.one',
  'history.batch',
  'backlog.other',
  'consumer.dead',
  'consumer.slow',
  'consumer.failing',
  'backend.postgres',
];

const draw = (file: string, bars: Bars): Chart => ({ file, title: bars.title, svg: drawBars(bars) });

const namesOf = (figures: readonly Figure[]): string[] => figures.map(({ name }) => name);

const rates = (figures: readonly Figure[]): Bars => ({
  title: 'Events or deliveries a second, beside their limits',
  unit: '1/s',
  names: namesOf(figures),
  series: [
    { name: 'measured', colour: 'blue', values: figures.map(({ value }) => value) },
    { name: 'limit, without the product', colour: 'grey', values: figures.map(({ limit }) => limit) },
  ],
});

const steadiness = (figures: readonly Figure[]): Bars => ({
  title: 'What is left of the rate under worse circumstances',
  unit: 'share of the rate without them',
  names: namesOf(figures),
  mark: 1,
  series: [{ name: 'ratio', colour: 'blue', values: figures.map(({ ratio }) => ratio) }],
});

function latency(figures: Figures): Bars {
  const shares = [
    ['10 %', '.at10'],
    ['50 %', ''],
    ['80 %', '.at80'],
  ] as const;
  const of = (kind: 'p50' | 'p99'): Figure[] =>
    shares.map(([, suffix]) => figures.named(`arrival.${kind}${suffix}`));
  return {
    title: 'From posting to arrival, by share of the sustained rate',
    unit: 'ms',
    names: ['ten a second', ...shares.map(([share]) => share)],
    series: [
      {
        name: 'p50',
        colour: 'blue',
        values: [figures.valueOf('idle.p50'), ...of('p50').map((f) => f.value)],
      },
      {
        name: 'p99',
        colour: 'purple',
        values: [figures.valueOf('idle.p99'), ...of('p99').map((f) => f.value)],
      },
      { name: 'p50, sent directly', colour: 'grey', values: [null, ...of('p50').map((f) => f.limit)] },
    ],
  };
}

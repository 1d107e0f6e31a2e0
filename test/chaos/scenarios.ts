import {
  downForAWhile,
  flapping,
  hangingTogether,
  healthy,
  slow,
  type ConsumerPlan,
} from '#test/chaos/consumers';
import {
  emptiedQueue,
  everything,
  inTurn,
  lateRecord,
  manualRetry,
  refusedRecord,
  undisturbed,
  type Course,
  type Step,
} from '#test/chaos/courses';
import type { Fault } from '#test/chaos/disturb';
import { cuts, FAULTS, spareWorkerComes } from '#test/chaos/faults';
import type { ServiceLimits } from '#test/chaos/observations';
import type { Planted } from '#test/chaos/planted-faults';
import { hang, KILLED_AHEAD, ROLE_FAULTS } from '#test/chaos/regime-faults';
import type { PlanOptions } from '#test/chaos/schedule';
import { seededRandom } from '#test/chaos/seeded-random';

export interface ScenarioOptions extends PlanOptions {
  /** Status changes a second. */
  readonly rate: number;
}

/** Consumers, load, faults and claims. Everything that is accepted has to be delivered. */
export interface Scenario {
  readonly consumers: readonly ConsumerPlan[];
  readonly load: { readonly producers: number; readonly changesPerSecond: number };
  /** What happens. Resolves when nothing is disturbed any more. */
  readonly course: Course;
  /** How long a steady consumer may wait for a session; absent: it is only measured. */
  readonly limits?: ServiceLimits;
  /** Settings of the workers, besides those of every run. */
  readonly workerEnv?: Readonly<Record<string, string>>;
  /** Missing deliveries are lost when nothing has changed for this long after the end; a minute by default. */
  readonly idleLimitMs?: number;
}

/** A consumer without a session gets one within 2 s; after a worker's lock has run out, within 10 s. */
const LIMITS: ServiceLimits = { usualMs: 2_000, takeoverMs: 10_000 };
const LOAD = { producers: 12, changesPerSecond: 60 };

/** Consumers that acknowledge at once, each with one company. @param from the number of the first company */
const prompt = (count: number, from = 0, given: Partial<ConsumerPlan> = {}): ConsumerPlan[] =>
  Array.from({ length: count }, (_, index) => ({
    name: `consumer ${from + index}`,
    companies: [`C-${from + index}`],
    behaviour: healthy,
    isSteady: true,
    timeoutMs: 5_000,
    retrySchedule: Array.from({ length: 12 }, () => 5),
    ...given,
  }));

const NEVER_ANSWERS = { isSteady: false, timeoutMs: 10_000, behaviour: () => 'hang' as const };

const onlyConsumer = (timeoutMs: number, retrySchedule: readonly number[]): ConsumerPlan[] =>
  prompt(1, 0, { isSteady: false, timeoutMs, retrySchedule });

/** Forty attempts after 1 s each, then ten after 5 s: no delivery becomes dead in a run. */
const LONG_SCHEDULE_S = [...Array<number>(40).fill(1), ...Array<number>(10).fill(5)];

/** From healthy to down. */
function ofAllKinds({ seed, seconds }: ScenarioOptions): ConsumerPlan[] {
  const totalMs = seconds * 1_000;
  const random = (number: number) => seededRandom(seed + number);
  const consumer = (companies: string[], given: Partial<ConsumerPlan>): ConsumerPlan => ({
    name: companies.join(),
    companies,
    behaviour: healthy,
    isSteady: false,
    timeoutMs: 1_000,
    retrySchedule: LONG_SCHEDULE_S,
    ...given,
  });
  const hanging = { behaviour: hangingTogether(seed, totalMs), timeoutMs: 10_000 };
  return [
    // Prompt, and so slow that there is always a POST in flight.
    consumer(['C-0', 'C-1'], { isSteady: true, behaviour: slow(random(3), 5, 60) }),
    consumer(['C-2'], { isSteady: true, behaviour: slow(random(4), 5, 60) }),
    consumer(['C-3'], { isSteady: true, behaviour: slow(random(1), 50, 300) }),
    consumer(['C-4'], { behaviour: flapping(random(2), totalMs) }),
    consumer(['C-5'], { behaviour: downForAWhile(totalMs) }),
    ...['C-6', 'C-7', 'C-8'].map((company) => consumer([company], hanging)),
  ];
}

/** One process, alone, is cut off in each of these ways, for longer than the 6 s after which a worker ends its sessions. */
const withoutServer = (faults: readonly Fault[], takeover?: Step['takeover']): Scenario => ({
  consumers: prompt(24),
  load: LOAD,
  limits: LIMITS,
  course: inTurn(
    faults.map((fault) => ({ afterMs: [6_000, 9_000], anyOf: [fault], forMs: [14_000, 14_000], takeover })),
    5_000,
  ),
});

const comesFor = (afterMs: Step['afterMs'], ms: number): Step => ({
  afterMs,
  anyOf: [spareWorkerComes],
  forMs: [ms, ms],
});

/** Longer than the timeout of a consumer, so that each of its requests fails. */
const hangs = (part: Parameters<typeof hang>[0]): Step => ({
  afterMs: [6_000, 9_000],
  anyOf: [hang(part)],
  forMs: [12_000, 18_000],
});

/** Less than the minute of failures that opens a consumer's circuit; but less is sent after ten refusals in a row. */
const jumps = (anyOf: Step['anyOf']): Step => ({
  afterMs: [5_000, 8_000],
  anyOf,
  forMs: [15_000, 25_000],
  takeover: 'until it is over',
});

/** Every scenario by its name. */
export const SCENARIOS = {
  /** All faults after a plan, beside consumers of all kinds. */
  everything: (options) => ({
    consumers: ofAllKinds(options),
    load: { producers: 12, changesPerSecond: options.rate },
    course: everything(options),
  }),
  /** A third worker comes for 12 s, twice, and then every 5 s, six times. At last one of the others is killed. */
  'workers-come-and-go': () => ({
    consumers: prompt(12),
    load: LOAD,
    limits: LIMITS,
    course: inTurn(
      [
        ...Array<Step>(2).fill(comesFor([4_000, 8_000], 12_000)),
        ...Array<Step>(6).fill(comesFor([5_000, 5_000], 5_000)),
        {
          afterMs: [15_000, 15_000],
          anyOf: FAULTS['SIGKILL worker'].forms('redis'),
          forMs: [15_000, 15_000],
          takeover: 'at its beginning',
        },
      ],
      5_000,
    ),
  }),
  'worker-without-postgres': () =>
    withoutServer([...cuts('worker', 'PostgreSQL'), ...ROLE_FAULTS], 'at its beginning'),
  'worker-without-redis': () => withoutServer(cuts('worker', 'Redis'), 'at its beginning'),
  /** Producers repeat at the other api what this one does not answer, and no consumer waits for longer than usual. */
  'api-without-postgres': () => withoutServer(cuts('api', 'PostgreSQL')),
  /** Two groups of six consumers hang, one after the other and then together, beside twelve that must not wait for them. */
  'hanging-groups': () => ({
    consumers: [...prompt(12), ...prompt(12, 12, { isSteady: false, timeoutMs: 10_000 })],
    load: { producers: 24, changesPerSecond: 120 },
    limits: LIMITS,
    // A few consumers that hang with ten open requests each could fill them.
    workerEnv: { WORKER_CONCURRENCY: '64' },
    course: inTurn([hangs('first half'), hangs('second half'), hangs('all')], 10_000),
  }),
  /** The clock of one process jumps by an hour and back. At last a worker is killed while its clock is ahead. */
  'clock-jumps': () => ({
    consumers: prompt(12),
    load: LOAD,
    limits: LIMITS,
    course: inTurn(
      [
        jumps(FAULTS['clock jump of a worker'].forms('redis').slice(0, 2)),
        jumps(FAULTS['clock jump of a worker'].forms('redis').slice(2)),
        jumps(FAULTS['clock jump of an api'].forms('redis')),
        {
          afterMs: [5_000, 8_000],
          anyOf: [KILLED_AHEAD],
          forMs: [3_000, 3_000],
          takeover: 'at its beginning',
        },
      ],
      20_000,
    ),
  }),
  /** Three consumers never answer, with a backlog and room for many POSTs at once: few are tried at a time. */
  'never-answering': () => ({
    consumers: prompt(3, 0, { ...NEVER_ANSWERS, maxConcurrency: 50 }),
    load: { producers: 12, changesPerSecond: 120 },
    // A session begins with 4 POSTs at once; during a handover the former one may have as many in flight.
    course: inTurn([{ afterMs: [0, 0], anyOf: [hang('all', 8)], forMs: [30_000, 30_000] }], 0),
  }),
  /** More consumers hang, each with a few POSTs, than the workers have slots. Healthy ones beside them must not wait. */
  'more-hang-than-slots': () => ({
    consumers: [...prompt(4), ...prompt(24, 4, NEVER_ANSWERS)],
    load: { producers: 24, changesPerSecond: 200 },
    limits: LIMITS,
    workerEnv: { WORKER_CONCURRENCY: '16' },
    course: inTurn([{ afterMs: [0, 0], anyOf: [hang('all')], forMs: [30_000, 30_000] }], 0),
  }),
  /** PostgreSQL refuses the record of one delivery, whose POST is answered together with some others. */
  'refused-record': () => ({
    consumers: prompt(3, 0, { timeoutMs: 30_000 }),
    load: { producers: 12, changesPerSecond: 120 },
    course: refusedRecord,
  }),
  /** A worker that was suspended during a POST is answered after another worker has taken its consumer over. */
  'late-record': () => ({
    consumers: onlyConsumer(30_000, [1, 1, 1]),
    load: { producers: 1, changesPerSecond: 20 },
    idleLimitMs: 15_000,
    course: lateRecord,
  }),
  /** An operator retries deliveries that wait for their next attempt; the deliveries blocked by them follow at once. */
  'manual-retry': () => ({
    consumers: onlyConsumer(1_000, [600, 600, 600]),
    load: { producers: 1, changesPerSecond: 20 },
    idleLimitMs: 15_000,
    course: manualRetry,
  }),
  /** Redis is emptied while it contains only the timer of the consumer's next attempts. */
  'emptied-queue': () => ({
    // The first retry must not happen before the queue is emptied, also on a busy machine.
    consumers: onlyConsumer(1_000, [30, 30, 30]),
    load: { producers: 6, changesPerSecond: 60 },
    idleLimitMs: 55_000,
    course: emptiedQueue,
  }),
  /** Constant load without any fault: what only time shows, such as growing tables, plans and memory. */
  steady: ({ seconds, rate }) => ({
    consumers: prompt(12),
    load: { producers: 64, changesPerSecond: rate },
    limits: LIMITS,
    course: undisturbed(seconds),
  }),
} as const satisfies Record<string, (options: ScenarioOptions) => Scenario>;

export type ScenarioName = keyof typeof SCENARIOS;
const isScenarioName = (name: string): name is ScenarioName => Object.hasOwn(SCENARIOS, name);
export const SCENARIO_NAMES: readonly ScenarioName[] = Object.keys(SCENARIOS).filter(isScenarioName);

/** The shortest scenario that shows each planted fault. */
export const SCENARIO_OF: Readonly<Record<Planted, ScenarioName>> = {
  'no-fence': 'late-record',
  'no-halving': 'refused-record',
  'no-parking-release': 'manual-retry',
  'no-reconcile': 'emptied-queue',
  'no-slow-start': 'never-answering',
  'no-unproven-share': 'more-hang-than-slots',
};

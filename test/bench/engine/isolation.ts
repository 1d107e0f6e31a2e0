import { setTimeout as pause } from 'node:timers/promises';
import { Processors } from '#test/bench/engine/processors';
import {
  median,
  printTable,
  readArguments,
  round,
  say,
  writeJson,
  type Row,
} from '#test/bench/engine/report';
import { Site, type Latencies, type Watched } from '#test/bench/engine/site';

/**
 * Whether one consumer's failure moves another's latency. Two whole installations stand side by side and share whatever
 * else the machine does, each with a healthy consumer under a steady load. In one of them other consumers hang until
 * their timeout of 10 s with a backlog of 20,000 deliveries; the two change places with every round. Three phases:
 *
 * - nobody hangs: both the same, which shows how far the two differ by themselves
 * - posting: 20,000 events are accepted for the consumers that hang, and beside it 20,000 for nobody: what accepting
 *   costs is not what hanging costs
 * - hanging: everything is posted; before the circuits open (10 failures over a minute)
 */
const { json, numbers } = readArguments({
  rounds: 3,
  perSecond: 30,
  seconds: 20,
  postingSeconds: 20,
  backlog: 20_000,
  hung: 1,
  workerConcurrency: 512,
  workers: 2,
});

const PHASES = ['nobody hangs', 'posting', 'hanging'] as const;

interface Pair {
  readonly phase: (typeof PHASES)[number];
  readonly alone: Latencies;
  readonly beside: Latencies;
  /** Percent of the processors that others on the machine used meanwhile. */
  readonly others: number;
}

const sites = [await Site.open(numbers), await Site.open(numbers)] as const;
const processors = new Processors();
try {
  say('warming up');
  await Promise.all(sites.map((site) => site.steady(numbers.perSecond, 8)));
  const pairs: Pair[] = [];
  const watched: Watched[] = [];
  for (let turn = 1; turn <= numbers.rounds; turn += 1) {
    const [one, other] = sites;
    const measured = await (turn % 2 === 1 ? oneRound(turn, one, other) : oneRound(turn, other, one));
    pairs.push(...measured.pairs);
    watched.push(...measured.watched);
    printTable(`round ${String(turn)}`, measured.pairs.map(rowOf));
  }
  const summary = PHASES.map((phase) => summarise(phase, pairs));
  printTable(
    `medians of ${String(numbers.rounds)} rounds; ${String(numbers.hung)} hung, ${String(numbers.workers)} workers with WORKER_CONCURRENCY=${String(numbers.workerConcurrency)}, ${String(numbers.perSecond)} events/s`,
    summary,
  );
  const most = mostOf(watched);
  printTable('while they hang, at most', [most]);
  await writeJson(json, { numbers, summary, most, pairs });
} finally {
  await Promise.all(sites.map((site) => site.close()));
}

async function oneRound(turn: number, alone: Site, beside: Site) {
  const { perSecond, seconds, postingSeconds, backlog } = numbers;
  const rate = backlog / postingSeconds;
  const pairs = [await pair('nobody hangs', alone, beside, perSecond, seconds)];

  const { companies, ids } = await beside.registerHung(turn);
  const watched: Watched[] = [];
  const over = new AbortController();
  const watching = watch(beside, ids, watched, over.signal);
  const posting = Promise.all([
    alone.producer.postBacklog([`NOBODY-${String(turn)}`], backlog, rate),
    beside.producer.postBacklog(companies, backlog / companies.length, rate),
  ]);
  pairs.push(await pair('posting', alone, beside, perSecond, postingSeconds));
  await posting;

  pairs.push(await pair('hanging', alone, beside, perSecond, seconds));
  over.abort();
  await watching;
  await beside.remove(ids);
  return { pairs, watched };
}

async function pair(
  phase: Pair['phase'],
  aloneAt: Site,
  besideAt: Site,
  perSecond: number,
  seconds: number,
): Promise<Pair> {
  await processors.since();
  const [alone, beside] = await Promise.all([
    aloneAt.steady(perSecond, seconds),
    besideAt.steady(perSecond, seconds),
  ]);
  const { others } = await processors.since();
  return { phase, alone, beside, others };
}

async function watch(site: Site, hung: readonly string[], seen: Watched[], over: AbortSignal): Promise<void> {
  while (!over.aborted) {
    seen.push(await site.watch(hung));
    await pause(1_000);
  }
}

function rowOf({ phase, alone, beside, others }: Pair): Row {
  return {
    phase,
    events: alone.events,
    alone_p50: alone.p50,
    beside_p50: beside.p50,
    alone_p99: alone.p99,
    beside_p99: beside.p99,
    ratio_p99: round(beside.p99 / alone.p99, 2),
    alone_most: alone.most,
    beside_most: beside.most,
    alone_202_p99: alone.accepted_p99,
    beside_202_p99: beside.accepted_p99,
    others,
  };
}

function summarise(phase: Pair['phase'], pairs: readonly Pair[]): Row {
  const own = pairs.filter((measured) => measured.phase === phase);
  const of = (pick: (measured: Pair) => number): number => round(median(own.map(pick)), 2);
  return {
    phase,
    alone_p50: of(({ alone }) => alone.p50),
    beside_p50: of(({ beside }) => beside.p50),
    alone_p99: of(({ alone }) => alone.p99),
    beside_p99: of(({ beside }) => beside.p99),
    ratio_of_medians: round(of(({ beside }) => beside.p99) / of(({ alone }) => alone.p99), 2),
    median_of_ratios: of(({ alone, beside }) => beside.p99 / alone.p99),
    others: of(({ others }) => others),
  };
}

function mostOf(watched: readonly Watched[]): Row {
  const most = (pick: (one: Watched) => number): number => Math.max(0, ...watched.map(pick));
  return {
    jobs_waiting: most(({ jobs }) => jobs.waiting),
    jobs_active: most(({ jobs }) => jobs.active),
    jobs_delayed: most(({ jobs }) => jobs.delayed),
    sending_to_hung: most(({ sendingToHung }) => sendingToHung),
    pending_of_hung: most(({ pendingOfHung }) => pendingOfHung),
  };
}

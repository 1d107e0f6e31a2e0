import { Bench } from '#test/bench/bench';
import { latencies } from '#test/bench/numbers';
import type { Plan } from '#test/bench/plan';
import type { Consumers } from '#test/bench/rig';

const WORKERS = 4;
/** An event every two seconds for each of 1,000 consumers: a session that ended at once would end in between. */
const PER_SECOND = 500;
const QUIET = 1_000;
/** An event every 0.2 s for each: their sessions stay open in any case. */
const BUSY = 100;
const WARM_UP_S = 5;
const SECONDS = 15;
const TURNS = 2;

/** Many consumers with a short pause between their events: accepting must not be slower than for few busy ones. */
export async function measureAcceptWithEnds({ figures, product, seconds = SECONDS }: Plan): Promise<void> {
  const bench = await Bench.openYoung(figures, { ...product, backend: 'redis' });
  try {
    for (let worker = 1; worker < WORKERS; worker += 1) await bench.environment.start('worker');
    const busy = await bench.insertConsumers(BUSY);
    const quiet = await bench.insertConsumers(QUIET);
    // The processes warm up, and the database is no longer young: this figure is not about either.
    await acceptedIn(bench, busy, seconds);
    await bench.environment.sql.query('analyze');
    const taken = { open: new Array<number>(), ends: new Array<number>() };
    for (let turn = 0; turn < TURNS; turn += 1) {
      taken.open.push(...(await acceptedIn(bench, busy, seconds)));
      taken.ends.push(...(await acceptedIn(bench, quiet, seconds)));
    }
    const [open, ends] = [latencies(taken.open), latencies(taken.ends)];
    const about = `of accepting an event at ${String(PER_SECOND)} a second for ${String(QUIET)} consumers with an event every 2 s each, ${String(WORKERS)} workers; the reference is ${String(BUSY)} consumers with five a second each`;
    figures.add('accept.with_ends', ends.p99, 'ms', `p99 ${about}`, {
      reference: open.p99,
      target: { of: 'ratio', atMost: 1.2 },
    });
    figures.add('accept.with_ends.p50', ends.p50, 'ms', `p50 ${about}`, { reference: open.p50 });
  } finally {
    await bench.close();
  }
}

/** Posts at a steady rate. @returns milliseconds from each request to its answer, after the warm-up */
async function acceptedIn(bench: Bench, consumers: Consumers, seconds: number): Promise<number[]> {
  const events = PER_SECOND * (WARM_UP_S + seconds);
  const posted = await bench.post({ ...consumers, perSecond: PER_SECOND, events, recordPosts: true });
  await bench.delivered(consumers);
  const measured = posted.slice(PER_SECOND * WARM_UP_S);
  return measured.map(([, atMs, acceptedMs]) => acceptedMs - atMs);
}

import type { Figures } from '#test/bench/pipeline/figures';
import { fillHistory } from '#test/bench/pipeline/history';
import { Rig, type Consumers } from '#test/bench/pipeline/rig';

const ROUNDS = 3;
/** Real deliveries of whole payments: what the history is made of. */
const SEEDS = 16_000;
const WARM_UP_S = 5;
const LOADS = [
  { name: 'history.one', eventsPerRequest: 1, about: 'sustained.one' },
  { name: 'history.batch', eventsPerRequest: 100, about: 'sustained.batch' },
] as const;

/** An installation with millions of finished deliveries beside an empty one, measured in turn. */
export async function measureHistory(figures: Figures, finished: number, seconds: number): Promise<void> {
  const [empty, full] = await Promise.all([Rig.open(figures, 'redis'), Rig.open(figures, 'redis')]);
  try {
    const sites = [await prepare(empty, 0), await prepare(full, finished)] as const;
    for (const { rig, one } of sites) await rig.sustained(one, Math.min(WARM_UP_S, seconds));
    for (const { name, eventsPerRequest, about } of LOADS) {
      const rates: [number[], number[]] = [[], []];
      for (let round = 0; round < ROUNDS; round += 1) {
        // Whichever is first has the cooler machine.
        for (const place of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
          const { rig, one } = sites[place];
          rates[place].push(await rig.sustained(one, seconds / ROUNDS, { eventsPerRequest }));
        }
      }
      const [ofEmpty, ofFull] = rates;
      figures.add(
        name,
        mean(ofFull),
        '1/s',
        `${about} with ${finished.toLocaleString('en')} finished deliveries in the tables, beside an empty database, in turn: ${inWords(ofFull)} beside ${inWords(ofEmpty)}`,
        { limit: mean(ofEmpty), bar: { of: 'ratio', atLeast: 0.9 } },
      );
    }
  } finally {
    await Promise.all([empty.close(), full.close()]);
  }
}

/** Delivers the seeds, adds the history, and starts the processes anew, with or without. */
async function prepare(rig: Rig, finished: number): Promise<{ rig: Rig; one: Consumers }> {
  const { stand } = rig;
  await stand.start('worker');
  const one = await rig.consumers(1);
  await rig.post({ companies: one.companies, events: SEEDS, eventsPerRequest: 100, connections: 4 });
  await rig.drained();
  await Promise.all([stand.stop('api'), stand.stop('worker')]);
  if (finished > 0) await fillHistory(stand.postgres.adminUrl, finished);
  await stand.start('api');
  await stand.start('worker');
  return { rig, one };
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

const inWords = (rates: readonly number[]): string => rates.map((rate) => rate.toFixed(0)).join(', ');

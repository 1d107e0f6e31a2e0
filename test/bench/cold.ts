import { Bench } from '#test/bench/bench';
import { median } from '#test/bench/numbers';
import type { Plan } from '#test/bench/plan';
import type { Sustained } from '#test/bench/rig';
import { sustained64 } from '#test/bench/sustained-64';

const SECONDS = 15;

/** Full load from the first event of a young database on: statements may have been planned for empty tables. */
export async function measureCold({ figures, product, seconds = SECONDS, rounds }: Plan): Promise<void> {
  const measured: Sustained[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const bench = await Bench.openYoung(figures, { ...product, backend: 'redis' });
    try {
      measured.push(await sustained64(bench, await bench.startConsumers(1), seconds, 0));
    } finally {
      await bench.close();
    }
  }
  const rates = measured.map(({ perSecond }) => perSecond);
  const postgres = measured.map(({ parts }) => parts['postgres'] ?? Number.NaN);
  const load = `over 64 connections for ${String(seconds)} s, from the first event of a young database on`;
  const of = `of ${String(rounds)} databases`;
  figures.add('cold.sustained', median(rates), '1/s', `acknowledged events ${load}: the median ${of}`);
  figures.add('cold.sustained.least', Math.min(...rates), '1/s', `the same: the least ${of}`);
  figures.add(
    'cold.sustained.pg',
    median(postgres),
    'ms',
    `PostgreSQL's processor time an event in that load: the median ${of}`,
  );
  figures.add('cold.sustained.pg.most', Math.max(...postgres), 'ms', `the same: the most ${of}`);
}

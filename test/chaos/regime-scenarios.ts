import { clockJumps } from '#test/chaos/clock-jumps';
import { comeAndGo } from '#test/chaos/come-and-go';
import { hangingGroups } from '#test/chaos/hanging-groups';
import { apiWithoutPostgres, workerWithoutPostgres, workerWithoutRedis } from '#test/chaos/partial-cuts';
import { refusedRecord } from '#test/chaos/refused-record';
import type { Scenario } from '#test/chaos/scenario';
import { seededRandom } from '#test/chaos/seeded-random';
import { steady } from '#test/chaos/steady';
import { moreHangThanSlots, neverAnswering } from '#test/chaos/unproven-consumers';

/** A condition that lasts, in contrast to a fault that is over at once. */
export const REGIMES = [
  'workers-come-and-go',
  'worker-without-postgres',
  'worker-without-redis',
  'api-without-postgres',
  'hanging-groups',
  'clock-jumps',
  'never-answering',
  'more-hang-than-slots',
  'refused-record',
  'steady',
] as const;
export type Regime = (typeof REGIMES)[number];

export const isRegime = (name: string): name is Regime => REGIMES.some((regime) => regime === name);

/** Ten minutes at 200 events a second, unless `--seconds` or `--rate` is given. */
export const STEADY = { seconds: 600, rate: 200 };

export interface RegimeOptions {
  /** Decides the times and the order. */
  readonly seed: number;
  readonly backend: 'redis' | 'postgres';
  readonly seconds: number;
  readonly rate: number;
}

/** The scenario of a regime. @throws when the queue's backend does not have it */
export function regimeScenario(regime: Regime, { seed, backend, seconds, rate }: RegimeOptions): Scenario {
  const random = seededRandom(seed);
  switch (regime) {
    case 'workers-come-and-go':
      return comeAndGo(random);
    case 'worker-without-postgres':
      return workerWithoutPostgres(random);
    case 'worker-without-redis':
      if (backend === 'postgres') throw new Error('with the queue on PostgreSQL there is no Redis to cut');
      return workerWithoutRedis(random);
    case 'api-without-postgres':
      return apiWithoutPostgres(random);
    case 'hanging-groups':
      return hangingGroups(random);
    case 'clock-jumps':
      return clockJumps(random);
    case 'never-answering':
      return neverAnswering();
    case 'more-hang-than-slots':
      return moreHangThanSlots();
    case 'refused-record':
      return refusedRecord();
    case 'steady':
      return steady({ seconds, changesPerSecond: rate });
  }
}

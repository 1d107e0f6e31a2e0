import { setTimeout as pause } from 'node:timers/promises';
import { healthy } from '#test/chaos/consumers';
import { OWN_ROLE, type ChaosEnvironment } from '#test/chaos/environment';
import type { Fault } from '#test/chaos/disturb';

/** PostgreSQL does this to worker 1 alone: it ends the connections of its role and lets no new one in. */
const withoutOwnRole = (
  label: string,
  refuse: string,
  allow: (environment: ChaosEnvironment) => string,
): Fault => ({
  label,
  run: async ({ environment }, forMs) => {
    await environment.query(`alter role ${OWN_ROLE} ${refuse}`);
    await environment.query('select pg_terminate_backend(pid) from pg_stat_activity where usename = $1', [
      OWN_ROLE,
    ]);
    await pause(forMs);
    await environment.query(`alter role ${OWN_ROLE} ${allow(environment)}`);
  },
});

export const ROLE_FAULTS = [
  withoutOwnRole('no connection left for worker 1', 'connection limit 0', () => 'connection limit -1'),
  withoutOwnRole(
    'password of worker 1 refused',
    `password 'changed'`,
    ({ ownPassword }) => `password '${ownPassword}'`,
  ),
];

/**
 * Consumers that are not steady hang: half of them, or all.
 * @param mostOpen they have answered nothing before, and get at most so many POSTs at once
 */
export const hang = (part: 'first half' | 'second half' | 'all', mostOpen = Infinity): Fault => ({
  label: `${part} of the consumers that may fail hang`,
  run: async ({ consumers, noticed }, forMs) => {
    const unsteady = consumers.filter(({ plan }) => !plan.isSteady);
    const half = unsteady.length / 2;
    const hanging =
      part === 'all' ? unsteady : part === 'first half' ? unsteady.slice(0, half) : unsteady.slice(half);
    hanging.forEach((consumer) => consumer.behave(() => 'hang'));
    await pause(forMs);
    for (const { plan, mostOpen: most } of hanging)
      if (most > mostOpen) noticed.push(`${plan.name} had ${most} POSTs open without having answered one`);
    hanging.forEach((consumer) => consumer.behave(healthy));
  },
});

/** A worker dies while its clock is ahead. What it left in the queue must not last for an hour. */
export const KILLED_AHEAD: Fault = {
  label: 'SIGKILL of worker 0 an hour ahead',
  signsWrongTime: true,
  run: async ({ environment }, forMs) => {
    const [worker] = environment.workers;
    if (worker === undefined) throw new Error('there is no worker');
    await worker.shiftClock(3_600_000);
    // Long enough for its locks to be renewed with the wrong time.
    await pause(6_000);
    const returned = worker.endAndReturn('SIGKILL', forMs);
    await worker.shiftClock(0);
    await returned;
  },
};

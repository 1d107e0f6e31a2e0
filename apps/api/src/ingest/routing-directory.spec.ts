import { expect, it } from '@jest/globals';
import type { RoutableConsumer } from '#libs/policy';
import { RoutingDirectory } from './routing-directory.js';

const consumer = (id: string, externalId: string): RoutableConsumer => ({
  id,
  externalId,
  eventTypes: ['ach.status'],
  achCompanyIds: [],
  wireCompanyIds: [],
  allPayments: true,
});

/** A directory over answers that are given one after the other, and the versions since which it asked. */
function directoryOver(
  ...answers: (readonly [string, ...(readonly [string, RoutableConsumer | null])[]] | Error)[]
) {
  const since: string[] = [];
  const directory = new RoutingDirectory({
    routingSince: async (version) => {
      since.push(version);
      const answer = answers[since.length - 1];
      if (answer === undefined || answer instanceof Error) throw answer ?? new Error('no answer is left');
      const [newest, ...changed] = answer;
      return { version: newest, changed: new Map(changed) };
    },
    routingVersion: async () => '3',
  });
  return { directory, since };
}

it('reads the routing once, again on refresh, and again after a failed read', async () => {
  const { directory, since } = directoryOver(['1'], new Error('PostgreSQL is unreachable'), ['3']);
  const routings = await Promise.all([directory.current(), directory.current()]);
  expect(routings.map(({ version }) => version)).toEqual(['1', '1']);
  await expect(directory.refresh()).rejects.toThrow('unreachable');
  expect((await directory.current()).version).toBe('3');
  expect(since).toEqual(['-1', '1', '1']);
  expect([await directory.isNewest('2'), await directory.isNewest('3')]).toEqual([false, true]);
});

it('reads only what has changed: a consumer that is new, one with other settings and one that is removed', async () => {
  const { directory, since } = directoryOver(
    ['4', ['a', consumer('a', 'x')], ['b', consumer('b', 'y')]],
    ['7', ['a', consumer('a', 'z')], ['b', null], ['c', consumer('c', 'x')]],
  );
  await directory.current();
  const { version, table } = await directory.refresh();
  expect({ version, since }).toEqual({ version: '7', since: ['-1', '4'] });
  const named = ['x', 'y', 'z', 'b'].map((name) => table.byName(name)?.consumer.id);
  expect(named).toEqual(['c', undefined, 'a', undefined]);
});

it('reads everything again when the version is older than the known one, as after a restore', async () => {
  const { directory, since } = directoryOver(
    ['4', ['a', consumer('a', 'x')]],
    ['2'],
    ['2', ['b', consumer('b', 'y')]],
  );
  await directory.current();
  const { version, table } = await directory.refresh();
  expect({ version, since }).toEqual({ version: '2', since: ['-1', '4', '-1'] });
  expect([table.byId('a'), table.byId('b')?.consumer.id]).toEqual([undefined, 'b']);
});

it('two refreshes at the same time read one after the other', async () => {
  const { directory, since } = directoryOver(['1'], ['2'], ['3']);
  await directory.current();
  const routings = await Promise.all([directory.refresh(), directory.refresh()]);
  expect({ since, newest: routings[1]?.version }).toEqual({ since: ['-1', '1', '2'], newest: '3' });
});

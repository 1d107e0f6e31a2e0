import { expect, it } from '@jest/globals';
import { RoutingDirectory } from './routing-directory.js';

it('reads the routing once, again on refresh, and again after a failed read', async () => {
  let reads = 0;
  const directory = new RoutingDirectory({
    routing: async () => {
      reads += 1;
      if (reads === 2) throw new Error('PostgreSQL is unreachable');
      return { version: String(reads), consumers: [] };
    },
    routingVersion: async () => '3',
  });
  const versions = await Promise.all([directory.current(), directory.current()]);
  expect(versions.map(({ version }) => version)).toEqual(['1', '1']);
  await expect(directory.refresh()).rejects.toThrow('unreachable');
  expect((await directory.current()).version).toBe('3');
  expect([await directory.isNewest('2'), await directory.isNewest('3')]).toEqual([false, true]);
});

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Overview } from '#apps/api/src/system/overview/overview-text';
import { Customer } from '#test/support/customer';
import { freePort } from '#test/support/free-port';
import { achChange } from '#test/support/status-changes';
import { System } from '#test/support/system';
import { waitUntil } from '#test/support/wait-until';

const PROJECT = join(import.meta.dirname, '../..');

let system: System;
let viewer: string;
beforeAll(async () => {
  system = await System.start({ backend: 'redis' });
  const body = { name: 'night shift', roles: ['viewer'] };
  viewer = (await system.client.call<{ key: string }>('POST', '/v1/api-keys', body)).body.key;
});
afterAll(() => system.stop());

interface Printed {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `npm run status` with these settings. */
const status = (env: Readonly<Record<string, string>>, ...args: string[]): Promise<Printed> =>
  new Promise((resolve) => {
    const { PATH, HOME } = process.env;
    const child = execFile(
      'npm',
      ['run', '--silent', 'status', '--', ...args],
      { cwd: PROJECT, env: { PATH, HOME, ...env } },
      (_error, stdout, stderr) => resolve({ status: child.exitCode, stdout, stderr }),
    );
  });
const asked = (...args: string[]) => status({ API: system.api.baseUrl, KEY: viewer }, ...args);

describe('npm run status', () => {
  it('status ends with 0 while nothing needs attention, and with 1 and the cause when a consumer fails', async () => {
    const quiet = await waitUntil(
      async () => {
        const printed = await asked();
        return printed.status === 0 && printed;
      },
      { what: 'an installation without problems' },
    );
    expect(quiet.stdout).toContain('Nothing needs attention');
    expect(quiet.stdout).toContain('Sending: active, 1 worker');

    const customer = await Customer.onboard(system.client, { behaviour: () => ({ status: 410 }) });
    await system.client.accept(achChange(customer.company, 'payment'));
    const failing = await waitUntil(
      async () => {
        const printed = await asked();
        return printed.status === 1 && printed;
      },
      { what: 'a consumer that needs attention' },
    );
    expect(failing.stdout).toContain('NEEDS ATTENTION');
    expect(failing.stdout).toMatch(new RegExp(`${customer.company} +paused`));

    const { stdout, status: code } = await asked('--json');
    const { queue }: Overview = JSON.parse(stdout);
    expect([code, queue.trouble[0]?.name]).toEqual([1, customer.company]);
  });

  it.each([
    ['without a key', () => ({ API: system.api.baseUrl }), 'Set KEY to an API key'],
    ['with a wrong key', () => ({ API: system.api.baseUrl, KEY: 'pnd_wrong' }), 'The key is refused'],
    ['with a wrong address', () => ({ API: 'localhost', KEY: viewer }), 'API must be a URL'],
  ])('status %s ends with 2 and says what to do', async (_case, env, message) => {
    expect(await status(env())).toEqual({ status: 2, stdout: '', stderr: expect.stringContaining(message) });
  });

  it('status of an api that does not run ends with 2 and the address', async () => {
    const API = `http://127.0.0.1:${String(await freePort())}`;
    const printed = await status({ API, KEY: viewer });
    expect([printed.status, printed.stderr]).toEqual([
      2,
      `${API} does not answer (ECONNREFUSED). Check that an api runs there, or set API to its address.\n`,
    ]);
  });

  it('status with a producer’s key ends with 2 and names the roles that may read it', async () => {
    const body = { name: 'hub', roles: ['producer'] };
    const { key } = (await system.client.call<{ key: string }>('POST', '/v1/api-keys', body)).body;
    const printed = await status({ API: system.api.baseUrl, KEY: key });
    expect([printed.status, printed.stderr]).toEqual([2, expect.stringContaining('viewer or oncall')]);
  });
});

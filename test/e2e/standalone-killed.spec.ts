import { afterAll, beforeAll, expect, test } from 'vitest';
import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiClient } from '#test/support/api-client';
import { Customer } from '#test/support/customer';
import { startProcess, type StartedProcess } from '#test/support/started-process';
import { ACH_SEQUENCE, achSequence } from '#test/support/status-changes';
import { TEST_ENVIRONMENT } from '#test/support/system';
import { temporaryFolder, type TemporaryFolder } from '#test/support/temporary-folder';
import { waitUntil } from '#test/support/wait-until';

const KEY = randomBytes(24).toString('hex');

let folder: TemporaryFolder;
beforeAll(async () => {
  folder = await temporaryFolder('standalone');
});
afterAll(() => folder.remove());

test('stand-alone delivers accepted events after it is killed and started again on its data', async () => {
  const first = await start();
  const client = new ApiClient(first.baseUrl, KEY);
  const payment = randomUUID();
  const hanging = await Customer.onboard(client, { timeoutMs: 2_000, behaviour: () => 'hang' });
  const accepted = await client.acceptAll(achSequence(hanging.company, payment));
  await hanging.waitForArrivals(1);
  await first.kill('SIGKILL');
  await waitUntil(() => !existsSync(lockFile()), {
    what: 'the embedded PostgreSQL to end after its parent process',
  });

  hanging.behave(() => ({}));
  const second = await start(first.port);
  await hanging.waitForAcknowledged(accepted);
  expect(hanging.statusesOf(payment)).toEqual(ACH_SEQUENCE);
  expect(new Set(hanging.arrivals.map((arrival) => arrival.verdict))).toEqual(new Set(['verified']));

  const postgres = await postgresPid();
  expect(await second.kill('SIGTERM')).toEqual({ code: 0, signal: null });
  expect(isRunning(postgres)).toBe(false);
});

test('a second stand-alone on the same data ends at once and names the process that uses the data', async () => {
  const first = await start();
  const second = await startProcess({ app: 'standalone', env: environment() });
  expect(await second.exited).toEqual({ code: 1, signal: null });
  expect(second.output).toBe(
    `Another process (pid ${String(first.pid)}) uses the data folder ${folder.path}.\n` +
      'Use the dispatcher that runs there, or stop it, or set DATA_DIR to another folder.\n',
  );
  expect((await fetch(`${first.baseUrl}/readyz`)).status).toBe(200);
  expect(await first.kill('SIGTERM')).toEqual({ code: 0, signal: null });
});

const environment = (): Record<string, string> => ({
  ...TEST_ENVIRONMENT,
  DATA_DIR: folder.path,
  ADMIN_API_KEY: KEY,
});

async function start(port?: number): Promise<StartedProcess> {
  const standalone = await startProcess({
    app: 'standalone',
    env: environment(),
    ...(port === undefined ? {} : { port }),
  });
  return standalone.waitForReady();
}

/** PostgreSQL's lock file, which exists while the server runs. */
const lockFile = (): string => join(folder.path, 'postgres', 'data', 'postmaster.pid');

async function postgresPid(): Promise<number> {
  return Number((await readFile(lockFile(), 'utf8')).split('\n', 1)[0]);
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

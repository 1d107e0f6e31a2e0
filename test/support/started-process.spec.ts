import { expect, test } from 'vitest';
import { startProcess } from './started-process.js';

test('a process that ends instead of becoming ready fails the wait at once, with what it said', async () => {
  const worker = await startProcess({ app: 'worker', env: { DATABASE_URL: 'not a URL' } });
  await expect(worker.waitForReady()).rejects.toThrow(/The worker ended \(code 1.*DATABASE_URL/s);
  expect(worker.isRunning).toBe(false);
});

import { expect, test } from 'vitest';
import { startProcess } from './started-process.js';

test('waiting for a process to be ready fails at once with its output when the process exits', async () => {
  const worker = await startProcess({ app: 'worker', env: { DATABASE_URL: 'not a URL' } });
  await expect(worker.waitForReady()).rejects.toThrow(/The worker ended \(code 1.*DATABASE_URL/s);
  expect(worker.isRunning).toBe(false);
});

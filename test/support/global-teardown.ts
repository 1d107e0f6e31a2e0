import { stopRunServers } from '#test/support/run-servers';

/** Once per run, after the last test file. */
export default async function globalTeardown(): Promise<void> {
  await stopRunServers();
}

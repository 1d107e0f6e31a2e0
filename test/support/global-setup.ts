import { keepCompiled } from '#test/support/compile-cache';
import { startRunServers, stopRunServers } from '#test/support/run-servers';

/** Once per run, before any test file. Returns what ends the run's servers after the last one. */
export default async function globalSetup(): Promise<() => Promise<void>> {
  const [servers] = await Promise.all([startRunServers(), keepCompiled()]);
  return () => stopRunServers(servers);
}

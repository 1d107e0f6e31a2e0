import { keepCompiled } from '#test/support/compile-cache';
import { startRunServers, stopRunServers } from '#test/support/run-servers';

/** Runs once, before all test files. @returns a function that ends the servers after the last file */
export default async function globalSetup(): Promise<() => Promise<void>> {
  const [servers] = await Promise.all([startRunServers(), keepCompiled()]);
  return () => stopRunServers(servers);
}

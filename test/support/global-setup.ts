import { keepCompiled } from '#test/support/compile-cache';
import { startRunServers } from '#test/support/run-servers';

/**
 * Once per run, before any test file. Jest loads this file with Node's own resolution, in which `./x.js` does not
 * find `x.ts`: everything reachable from here imports its neighbours as `#test/support/x`.
 */
export default async function globalSetup(): Promise<void> {
  await Promise.all([startRunServers(), keepCompiled()]);
}

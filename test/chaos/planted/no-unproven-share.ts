import { replaceInModule } from '#test/chaos/planted/replace-in-module';

/**
 * Planted fault, loaded before a worker's main file: consumers that do not answer may take all slots, for as long as their
 * requests last.
 */
const SLOTS = '/apps/worker/src/session/slots.js';
replaceInModule(SLOTS, 'const UNPROVEN_SHARE = 0.5', 'const UNPROVEN_SHARE = 1');
replaceInModule(SLOTS, 'const SLOW_MS = 500', 'const SLOW_MS = 60_000');

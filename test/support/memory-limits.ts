import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Manifest {
  readonly scripts: Readonly<Record<string, string>>;
}

const manifest: Manifest = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));

/** Node's memory flags in `npm run start:api`; `start:worker` has the same. */
export const MEMORY_LIMITS: readonly string[] = (manifest.scripts['start:api'] ?? '')
  .split(' ')
  .filter((word) => word.startsWith('--max-'));

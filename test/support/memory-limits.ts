import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Manifest {
  readonly scripts: Readonly<Record<string, string>>;
}

const manifest: Manifest = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));

/** Node's flags by which `npm run start:api` keeps its memory small; the worker's are the same. */
export const MEMORY_LIMITS: readonly string[] = (manifest.scripts['start:api'] ?? '')
  .split(' ')
  .filter((word) => word.startsWith('--max-'));

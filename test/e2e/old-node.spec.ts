import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** Makes a process see an older Node version. */
const OLD_NODE = 'Object.defineProperty(process,"versions",{value:{...process.versions,node:"20.20.2"}})';

describe('old Node', () => {
  it.each(['api/main', 'api/migrate', 'worker/main', 'standalone/main'])(
    'dist/apps/%s.js ends on an old Node with one line that names the version that it needs',
    (entry) => {
      const { status, stderr } = spawnSync(
        process.execPath,
        ['--import', `data:text/javascript,${OLD_NODE}`, `dist/apps/${entry}.js`],
        { encoding: 'utf8' },
      );
      expect(status).toBe(1);
      expect(stderr).toBe(
        'Node 24 or newer is required; this is 20.20.2. The npm scripts use their own: npm start.\n',
      );
      expect(JSON.parse(readFileSync('package.json', 'utf8'))).toMatchObject({ engines: { node: '>=24' } });
    },
  );
});

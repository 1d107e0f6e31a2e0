// Checks on a temporary PostgreSQL server that the database types match the migrated schema: the generated
// libs/database/src/schema/tables.ts (--write generates it again with kysely-codegen), and the row types of raw statements.
// Exits with 1 when anything differs.
import { execFileSync } from 'node:child_process';
import { rowTypeFaults } from './row-types.mjs';
import { withMigratedPostgres } from './migrated-postgres.mjs';

const isWriting = process.argv.includes('--write');
const options = [
  '--config-file',
  'libs/database/tables.config.json',
  '--out-file',
  'libs/database/src/schema/tables.ts',
];

await withMigratedPostgres(async (url) => {
  try {
    execFileSync('kysely-codegen', [...options, '--url', url, ...(isWriting ? [] : ['--verify'])], {
      stdio: 'pipe',
    });
  } catch (error) {
    process.stderr.write(
      `${error.stderr}libs/database/src/schema/tables.ts is not current: npm run tables\n`,
    );
    process.exitCode = 1;
  }
  const faults = await rowTypeFaults(url);
  if (faults.length === 0) return;
  process.stderr.write(`${faults.join('\n')}\n`);
  process.exitCode = 1;
});

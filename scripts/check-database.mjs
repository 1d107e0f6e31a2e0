// Checks that the database's types match the schema that the migrations make, on a PostgreSQL server of its own:
// libs/database/src/tables.ts, which kysely-codegen generates (with --write it is written anew), and the row types of
// raw statements. Exits with 1 when anything differs.
import { execFileSync } from 'node:child_process';
import { rowTypeFaults } from './row-types.mjs';
import { withMigratedPostgres } from './migrated-postgres.mjs';

const isWriting = process.argv.includes('--write');
const given = [
  '--config-file',
  'libs/database/tables.config.json',
  '--out-file',
  'libs/database/src/tables.ts',
];

await withMigratedPostgres(async (url) => {
  try {
    execFileSync('kysely-codegen', [...given, '--url', url, ...(isWriting ? [] : ['--verify'])], {
      stdio: 'pipe',
    });
  } catch (error) {
    process.stderr.write(`${error.stderr}libs/database/src/tables.ts is not current: npm run tables\n`);
    process.exitCode = 1;
  }
  const faults = await rowTypeFaults(url);
  if (faults.length === 0) return;
  process.stderr.write(`${faults.join('\n')}\n`);
  process.exitCode = 1;
});

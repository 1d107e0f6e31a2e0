import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { relative } from 'node:path';

const PAGE = 'docs/measurements/long-tests.md';

/** Writes when the long tests last ran, on which commit, and the result of each file. */
export function writeLongResults(runs, { passed, failed }) {
  const git = (...args) => execFileSync('git', args, { encoding: 'utf8' }).trim();
  const commit =
    git('rev-parse', '--short', 'HEAD') + (git('status', '--porcelain') === '' ? '' : ', changed');
  const rows = runs
    .flatMap(({ testResults }) => testResults)
    .map(({ name, startTime, endTime, assertionResults }) => {
      const count = (status) => assertionResults.filter((test) => test.status === status).length;
      const seconds = Math.round((endTime - startTime) / 1_000);
      return `| ${relative('.', name)} | ${count('passed')} | ${count('failed')} | ${seconds} |`;
    });
  const lines = [
    '# The long tests',
    '',
    `\`npm run test:long\` writes this page. Last run: ${new Date().toISOString().slice(0, 10)}, commit ${commit},`,
    `${availableParallelism()} cores, Node ${process.versions.node}: ${passed} passed, ${failed} failed.`,
    '',
    '| file | passed | failed | seconds |',
    '|---|--:|--:|--:|',
    ...rows.toSorted(),
    '',
  ];
  writeFileSync(PAGE, lines.join('\n'));
}

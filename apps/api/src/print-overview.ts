import { processEnvironment } from '#libs/config';
import { parseArgs } from 'node:util';
import { needsAttention, overviewText } from './system/overview/overview-text.js';
import { NoOverviewError, readOverview } from './system/overview/read-overview.js';

const DEFAULT_API = 'http://127.0.0.1:3000';

/**
 * `npm run status`: what the console's Overview shows, for a terminal; `-- --json` prints the api's own answers. It asks
 * the api at API with the key KEY. Exit status: 0 nothing needs attention, 1 something does, 2 there was no answer.
 */
async function main(): Promise<number> {
  const { json } = parseArgs({ options: { json: { type: 'boolean', default: false } } }).values;
  const { API = DEFAULT_API, KEY = '' } = processEnvironment();
  if (KEY === '') throw new NoOverviewError('Set KEY to an API key with the role viewer or oncall.');
  if (!URL.canParse(API))
    throw new NoOverviewError('API must be a URL, such as https://dispatcher.bank.example.');
  const overview = await readOverview(API, KEY);
  process.stdout.write(json ? `${JSON.stringify(overview, null, 2)}\n` : overviewText(overview));
  return needsAttention(overview) ? 1 : 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}

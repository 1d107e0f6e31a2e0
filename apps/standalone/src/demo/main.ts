import 'reflect-metadata';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processEnvironment, runProcess } from '#libs/config';
import { freePort } from '../free-port.js';
import { startStandalone } from '../start-standalone.js';
import { SAMPLE_CONSUMERS } from './sample-consumers.js';
import { beginEverydayLife } from './continuous-payments.js';
import { walkThrough } from './walk-through.js';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/**
 * `npm run demo`: stand-alone, a reference consumer and two payments' lives, with `-- --once` no more than that; then
 * a cast of consumers in every kind of trouble, and payments that go on happening.
 */
async function start(): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'dispatcher-demo-'));
  chmodSync(folder, 0o711);
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

  const standalone = await startStandalone({
    // The story speaks for itself; a fault of the dispatcher's own still shows.
    LOG_LEVEL: 'error',
    PORT: String(await freePort()),
    DATA_DIR: folder,
    QUEUE_NAMESPACE: `demo_${process.pid.toString(36)}_${Date.now().toString(36)}`,
    ...processEnvironment(),
    DATABASE_URL: '',
    DATABASE_URL_FILE: '',
    EGRESS_ALLOW: '127.0.0.0/8',
    ALLOW_HTTP: 'true',
  });
  say(`The dispatcher is up on ${standalone.url}, its queue on ${standalone.queueBackend}.\n`);
  const { figures, consumer, producerKey } = await walkThrough(standalone, say);
  const stop = async (): Promise<void> => {
    await standalone.stop();
    await consumer.close();
  };
  const summary = `demo: ${String(figures.accepted)} accepted, ${String(figures.delivered)} delivered, ${String(figures.verified)} verified`;
  if (process.argv.includes('--once')) {
    await stop();
    say(summary);
    process.exit(figures.isWhole ? 0 : 1);
  }
  say(`\n${summary}\n`);
  const life = await beginEverydayLife(standalone, producerKey);
  say(`${String(life.payments)} payments of ${String(SAMPLE_CONSUMERS.length)} more consumers are being sent, and new ones keep coming.
Open the console as somebody on call:
  ${standalone.url}/sign-in#key=${life.keys.oncall}

Try this first:
  1. Falcon Air Cargo is down. Find out since when and why, and whom to contact.
  2. Larkspur Energy refuses our signatures. Compare the one that it computed with ours.
  3. A customer asks for the payment with trace number ${life.traceNumber}. Did it arrive?

Other keys, until you press Ctrl-C:
  on-call key     ${life.keys.oncall}
  operator key    ${life.keys.operator}
  admin key       ${standalone.adminApiKey}
  viewer key      ${life.keys.viewer}
  producer key    ${producerKey}
  documentation   ${standalone.url}/docs
  deliveries      curl -H 'authorization: Bearer ${life.keys.oncall}' ${standalone.url}/v1/deliveries`);
  return async () => {
    await life.stop();
    await stop();
  };
}

runProcess(start);

import 'reflect-metadata';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processEnvironment, runProcess } from '#libs/config';
import { freePort } from '../free-port.js';
import { startStandalone } from '../start-standalone.js';
import { beginEverydayLife } from './everyday-life.js';
import { tellStory } from './story.js';

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
  const { figures, consumer, producerKey } = await tellStory(standalone, say);
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
  say(`${String(life.payments)} payments of eight more consumers are on their way, and more keep coming.
Look around until you press Ctrl-C:
  console         ${standalone.url}   (sign in with one of the keys)
  admin key       ${standalone.adminApiKey}
  operator key    ${life.keys.operator}
  on-call key     ${life.keys.oncall}
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

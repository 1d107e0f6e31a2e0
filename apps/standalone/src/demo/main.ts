import 'reflect-metadata';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processEnvironment, runProcess } from '#libs/config';
import { freePort } from '../free-port.js';
import { startStandalone } from '../start-standalone.js';
import { tellStory } from './story.js';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** `npm run demo`: stand-alone, a reference consumer, two payments' lives; with `-- --once` it ends after them. */
async function start(): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'dispatcher-demo-'));
  chmodSync(folder, 0o711);
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

  const standalone = await startStandalone({
    LOG_LEVEL: 'warn',
    PORT: String(await freePort()),
    DATA_DIR: folder,
    QUEUE_NAMESPACE: `demo_${process.pid.toString(36)}_${Date.now().toString(36)}`,
    ...processEnvironment(),
    DATABASE_URL: '',
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
  say(`Look around until you press Ctrl-C:
  documentation   ${standalone.url}/docs
  admin key       ${standalone.adminApiKey}
  producer key    ${producerKey}
  deliveries      curl -H 'authorization: Bearer ${standalone.adminApiKey}' ${standalone.url}/v1/deliveries
  consumer        ${consumer.url}`);
  return stop;
}

runProcess(start);

import 'reflect-metadata';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '#apps/standalone/src/free-port';
import { startStandalone } from '#apps/standalone/src/start-standalone';
import { startContinuousPayments } from '#examples/demo/continuous-payments';
import { SAMPLE_CONSUMERS } from '#examples/demo/sample-consumers';
import { walkThrough } from '#examples/demo/walk-through';
import { processEnvironment, runProcess } from '#libs/config';

const print = (line: string): void => void process.stdout.write(`${line}\n`);

/**
 * `npm run demo` starts the stand-alone dispatcher, a reference consumer and two payments. With `-- --once` it ends there;
 * otherwise it adds sample consumers with typical problems and posts payments until it is stopped.
 */
async function start(): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'dispatcher-demo-'));
  chmodSync(folder, 0o711);
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

  const standalone = await startStandalone({
    // The demo prints what happens; of the dispatcher it shows only errors.
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
  print(`The dispatcher is up on ${standalone.url}, its queue on ${standalone.queueBackend}.\n`);
  const { figures, consumer, producerKey } = await walkThrough(standalone, print);
  const stop = async (): Promise<void> => {
    await standalone.stop();
    await consumer.close();
  };
  const summary = `demo: ${String(figures.accepted)} accepted, ${String(figures.delivered)} delivered, ${String(figures.verified)} verified`;
  if (process.argv.includes('--once')) {
    await stop();
    print(summary);
    process.exit(figures.isComplete ? 0 : 1);
  }
  print(`\n${summary}\n`);
  const payments = await startContinuousPayments(standalone, producerKey);
  print(`${String(payments.payments)} payments of ${String(SAMPLE_CONSUMERS.length)} more consumers are being sent, and new ones keep coming.
Open the console as the person on call:
  ${standalone.url}/sign-in#key=${payments.keys.oncall}

Try this first:
  1. Falcon Air Cargo is down. Find out since when and why, and whom to contact.
  2. Larkspur Energy refuses our signatures. Compare the one that it computed with ours.
  3. A customer asks for the payment with trace number ${payments.traceNumber}. Did it arrive?
  4. Northwind Traders was registered after its first two payments. Find their unrouted events under Payments, and send them.

Other keys, until you press Ctrl-C:
  on-call key     ${payments.keys.oncall}
  operator key    ${payments.keys.operator}
  admin key       ${standalone.adminApiKey}
  viewer key      ${payments.keys.viewer}
  producer key    ${producerKey}
  documentation   ${standalone.url}/docs
  deliveries      curl -H 'authorization: Bearer ${payments.keys.oncall}' ${standalone.url}/v1/deliveries`);
  return async () => {
    await payments.stop();
    await stop();
  };
}

runProcess(start);

import { setTimeout as pause } from 'node:timers/promises';
import { createProducer } from '#packages/client';
import { pino } from 'pino';
import manifest from '../../../packages/client/package.json' with { type: 'json' };
import { ingest } from './ingest.js';
import { ConfigurationRefusedError } from './post-records.js';
import { readSettings } from './settings.js';
import { startStatusServer } from './status-server.js';

/**
 * Posts the records of Kafka topics to the dispatcher (docs/kafka.md). It ends with 0 after SIGTERM, and with 1 when a
 * person has to change a setting or the API key.
 */

/** For answers about the records in hand after SIGTERM: supervisors kill after 30 s. */
const GIVE_UP_AFTER_MS = 10_000;
/** The client library waits for a broker without end, also when it leaves the group. */
const END_AFTER_MS = 15_000;
/** Before a new member is made after a failure of Kafka. */
const AGAIN_AFTER_MS = 5_000;

async function run(): Promise<void> {
  // oxlint-disable-next-line node/no-process-env -- the only place that reads it
  const settings = readSettings(process.env);
  // The client package has the version of the product.
  const base = { process: 'kafka-ingest', version: manifest.version, pid: process.pid };
  const logger = pino({ level: settings.LOG_LEVEL, base, timestamp: pino.stdTimeFunctions.isoTime });
  const [stop, giveUp] = [new AbortController(), new AbortController()];
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () => {
      logger.info({ signal }, 'process.stopping');
      stop.abort();
      setTimeout(() => giveUp.abort(), GIVE_UP_AFTER_MS).unref();
      setTimeout(() => process.exit(), END_AFTER_MS).unref();
    });
  const producer = createProducer({ baseUrl: settings.DISPATCHER_URL, apiKey: settings.DISPATCHER_API_KEY });
  const { onMember, close } = await startStatusServer(settings);
  logger.info({ topics: settings.KAFKA_TOPICS, groupId: settings.KAFKA_GROUP_ID }, 'process.ready');
  while (!stop.signal.aborted) {
    try {
      await ingest({ settings, producer, logger, onMember, stopping: stop.signal, givingUp: giveUp.signal });
    } catch (error) {
      if (error instanceof ConfigurationRefusedError) {
        const advice =
          'Nothing of this was committed. Give DISPATCHER_API_KEY a key with the role producer, and DISPATCHER_URL the api’s address; then start again.';
        logger.fatal({ reason: error.message, advice }, 'kafka.configuration_refused');
        process.exitCode = 1;
        break;
      }
      const advice =
        'Nothing is lost. Check that the brokers answer, the topics exist and the user has rights.';
      logger.error({ reason: reasonOf(error), advice }, 'kafka.failed');
      await pause(AGAIN_AFTER_MS, undefined, { signal: stop.signal }).catch(() => undefined);
    }
  }
  close();
  logger.info({}, 'process.stopped');
}

/** The client library puts the errors of all tries into one. */
const reasonOf = (error: unknown): string =>
  error instanceof AggregateError
    ? [error.message, ...error.errors.map(reasonOf)].join(' ')
    : error instanceof Error
      ? error.message
      : String(error);

run().then(
  // The client may still wait for an answer that nobody awaits.
  () => process.exit(),
  (error: unknown) => {
    process.stderr.write(`${reasonOf(error)}\n`);
    process.exit(1);
  },
);

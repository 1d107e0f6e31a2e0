import { startAdvice, type Config } from '#libs/config';
import { within } from '#libs/contracts';
import { answerWhileWaiting } from '#libs/listener';
import { faultText, type Logger } from '#libs/observability';
import { sql } from 'kysely';
import { setTimeout as delay } from 'node:timers/promises';
import { openDatabase, type Queryable } from './connection.js';
import { DatabaseUnavailableError, isLoginRefused, isUnavailable } from './faults.js';

type Ask = (db: Queryable) => Promise<unknown>;

const ping: Ask = (db) => sql`select 1`.execute(db);

/**
 * Resolves when PostgreSQL accepts connections. A process calls it before it creates its components, since BullMQ on
 * PostgreSQL does not recover from a failed first connection. A process that has to wait logs one line, and meanwhile
 * answers the platform's health checks: alive, not ready.
 *
 * @param ask the question that PostgreSQL has to answer; `checkSchema` for a process that does not migrate
 * @throws an error that waiting cannot resolve, such as a wrong password; the process ends with it, and with advice
 */
export async function awaitPostgres(
  { database, http }: Config,
  logger: Logger,
  ask: Ask = ping,
): Promise<void> {
  const startedAtMs = performance.now();
  let stopAnswering: (() => Promise<void>) | undefined;
  await untilPostgresAnswers(database.url, {
    ask,
    onWait: async (reason) => {
      const fault = faultText(reason);
      const advice = reason instanceof Error ? startAdvice(reason) : undefined;
      const listener = await answerWhileWaiting(http, { postgres: fault });
      stopAnswering = () => listener.close();
      logger.warn({ fault, advice }, 'postgres.unreachable');
    },
  });
  if (stopAnswering === undefined) return;
  const waitedMs = Math.round(performance.now() - startedAtMs);
  logger.info({ waitedMs }, 'postgres.reachable');
  await stopAnswering();
}

const ASK_EVERY_MS = 500;

/**
 * Resolves when PostgreSQL accepts connections, which is usually at once.
 *
 * @param options.onWait called once, before the first wait, with the reason for it
 * @param options.withinMs maximum time until the last try, in milliseconds; unlimited by default
 * @throws at once an error that waiting cannot resolve, such as a wrong password or a database that does not exist;
 *   the last error when the time is over
 */
export async function untilPostgresAnswers(
  url: string,
  options: {
    readonly onWait: (reason: unknown) => Promise<void> | void;
    readonly withinMs?: number;
    readonly ask?: Ask;
  },
): Promise<void> {
  const { onWait, withinMs = Infinity, ask = ping } = options;
  const db = openDatabase({ url, poolSize: 1 });
  const lastTryAtMs = performance.now() + withinMs;
  try {
    for (let waits = false; ; waits = true) {
      try {
        await ask(db);
        return;
      } catch (error) {
        const mayPass = isUnavailable(error) && !isLoginRefused(error);
        if (!mayPass || performance.now() > lastTryAtMs) throw error;
        if (!waits) await onWait(error);
      }
      await delay(ASK_EVERY_MS);
    }
  } finally {
    await db.destroy();
  }
}

/**
 * Checks that PostgreSQL answers.
 * @throws DatabaseUnavailableError when it does not answer in time; the driver's error when it is unreachable
 */
export async function pingDatabase(db: Queryable, withinMs: number): Promise<void> {
  await within(withinMs, ping(db), () => {
    throw new DatabaseUnavailableError(`no answer within ${String(withinMs)} ms`);
  });
}

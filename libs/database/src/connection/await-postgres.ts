import { startAdvice, type Config } from '#libs/config';
import { answerWhileWaiting } from '#libs/listener';
import { faultText, type Logger } from '#libs/observability';
import { untilPostgresAnswers } from './until-postgres-answers.js';

/**
 * Resolves when PostgreSQL accepts connections. A process calls it before it creates its components, since BullMQ on
 * PostgreSQL does not recover from a failed first connection. A process that has to wait logs one line, and meanwhile
 * answers the platform's health checks: alive, not ready.
 *
 * @throws an error that waiting cannot resolve, such as a wrong password; the process ends with it, and with advice
 */
export async function awaitPostgres({ database, http }: Config, logger: Logger): Promise<void> {
  const startedAtMs = performance.now();
  let stopAnswering: (() => Promise<void>) | undefined;
  await untilPostgresAnswers(database.url, {
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

import { startAdvice, type Config } from '#libs/config';
import { answerWhileWaiting } from '#libs/listener';
import { faultText, type Logger } from '#libs/observability';
import { untilPostgresAnswers } from './until-postgres-answers.js';

/**
 * Resolves when PostgreSQL accepts connections: what a process does before it makes its parts, since on the PostgreSQL
 * backend BullMQ keeps the failure of its first connection for good. A process that has to wait logs one line, and
 * answers the platform meanwhile: alive, not ready.
 *
 * @throws what no wait heals, such as a wrong password: the process ends with it, and advice
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
      logger.warn({ fault, advice }, 'PostgreSQL does not accept connections yet; this process waits for it');
    },
  });
  if (stopAnswering === undefined) return;
  const waitedMs = Math.round(performance.now() - startedAtMs);
  logger.info({ waitedMs }, 'PostgreSQL accepts connections');
  await stopAnswering();
}

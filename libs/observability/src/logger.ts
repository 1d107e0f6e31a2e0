import type { LoggerService } from '@nestjs/common';
import { pino, type Logger } from 'pino';
import { LogOutput } from './log-output.js';
import { withoutSecrets } from './without-secrets.js';

export type { Logger } from 'pino';

/**
 * The process's logger: one JSON line a step on standard output, ids first.
 * Callers pass ids, counts and closed words only; the redaction is a net below that rule, not a licence. A process
 * that is killed takes the lines of its last moment with it; one that exits writes them first.
 */
export function createLogger(options: { level: string; process: string }): Logger {
  return pino(
    {
      level: options.level,
      base: { process: options.process, pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { log: withoutSecrets },
    },
    new LogOutput(),
  );
}

/** Carries Nest's own messages into the same stream. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}
  log(message: unknown, context?: unknown): void {
    this.logger.debug({ context }, String(message));
  }
  warn(message: unknown, context?: unknown): void {
    this.logger.warn({ context }, String(message));
  }
  error(message: unknown, stack?: unknown, context?: unknown): void {
    this.logger.error({ context, stack }, String(message));
  }
  debug(message: unknown, context?: unknown): void {
    this.logger.debug({ context }, String(message));
  }
  verbose(message: unknown, context?: unknown): void {
    this.logger.trace({ context }, String(message));
  }
  fatal(message: unknown, context?: unknown): void {
    this.logger.fatal({ context }, String(message));
  }
}

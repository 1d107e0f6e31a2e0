import { VERSION } from '#libs/contracts';
import type { LoggerService } from '@nestjs/common';
import { pino, type DestinationStream, type Logger } from 'pino';

export type { Logger } from 'pino';

/** Lines are written in blocks of this size, or after this time. */
const BLOCK_CHARACTERS = 8_192;
const WRITTEN_AFTER_MS = 50;

const SECRET_NAMES = ['authorization', 'password', 'signingSecret', 'body'];

/**
 * The process's logger: one JSON line per step on standard output, ids first.
 * Callers pass ids, counts and values of closed lists only. The redaction of secret names, at the top and one level down,
 * is a second defence. A process that is killed loses the lines of its last 50 ms; one that exits writes them first.
 *
 * @param output standard output by default
 */
export function createLogger(
  options: { level: string; process: string },
  output: DestinationStream = standardOutput(),
): Logger {
  return pino(
    {
      level: options.level,
      base: { process: options.process, version: VERSION, pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: SECRET_NAMES.flatMap((name) => [name, `*.${name}`]), censor: '[redacted]' },
    },
    output,
  );
}

const standardOutput = (): DestinationStream =>
  pino.destination({
    fd: process.stdout.fd,
    sync: false,
    minLength: BLOCK_CHARACTERS,
    periodicFlush: WRITTEN_AFTER_MS,
  });

/** Nest's own messages as lines of the same log. */
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

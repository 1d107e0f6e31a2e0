import { inspect } from 'node:util';

const REDACTED = '[redacted]';

/**
 * An object that holds secrets and prints none: not in a log line, not in a template string,
 * not in JSON, not in a debugger's dump. Subclasses keep their secrets in `#private` fields.
 */
export abstract class Redacted {
  toJSON(): string {
    return REDACTED;
  }

  toString(): string {
    return REDACTED;
  }

  [inspect.custom](): string {
    return `${this.constructor.name} ${REDACTED}`;
  }
}

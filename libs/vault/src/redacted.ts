import { inspect } from 'node:util';

const REDACTED = '[redacted]';

/**
 * An object whose secrets do not appear in log lines, template strings, JSON or `util.inspect`. Subclasses keep them in
 * `#private` fields.
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

import { describe, expect, it } from '@jest/globals';
import { DatabaseUnavailableError, isUnavailable, noteConnectionFault } from './faults.js';

const withCode = (code: string): Error => Object.assign(new Error('a fault'), { code });

describe('isUnavailable', () => {
  it.each(['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ETIMEDOUT'])(
    'treats %s as an unavailable PostgreSQL only when a connection to PostgreSQL raised it',
    (code) => {
      const error = withCode(code);
      expect(isUnavailable(error)).toBe(false);
      noteConnectionFault(error);
      expect(isUnavailable(error)).toBe(true);
      expect(isUnavailable(withCode(code))).toBe(false);
    },
  );

  it('recognises the driver’s message about a terminated connection as an unavailable PostgreSQL', () => {
    const error = new Error('Connection terminated unexpectedly');
    expect(isUnavailable(error)).toBe(false);
    noteConnectionFault(error);
    expect(isUnavailable(error)).toBe(true);
  });

  it.each(['57P01', '08006', '28P01', '53300', '25006', '25P03'])(
    'treats %s as an unavailable PostgreSQL',
    (code) => {
      expect(isUnavailable(withCode(code))).toBe(true);
    },
  );

  it.each(['23505', '22021', '40P01', 'ENOENT'])('does not treat %s as an unavailable PostgreSQL', (code) => {
    const error = withCode(code);
    noteConnectionFault(error);
    expect(isUnavailable(error)).toBe(false);
  });

  it('treats a DatabaseUnavailableError as an unavailable PostgreSQL, and ignores values that are no errors', () => {
    noteConnectionFault('text');
    expect(['text', null, undefined].map(isUnavailable)).toEqual([false, false, false]);
    expect(isUnavailable(new DatabaseUnavailableError('unreachable'))).toBe(true);
  });
});

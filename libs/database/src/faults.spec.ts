import { describe, expect, it } from '@jest/globals';
import { DatabaseUnavailableError, isUnavailable, noteConnectionFault } from './faults.js';

const withCode = (code: string): Error => Object.assign(new Error('a fault'), { code });

describe('isUnavailable', () => {
  it.each(['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ETIMEDOUT'])(
    'takes %s for a fault of PostgreSQL only when one of its connections has raised it',
    (code) => {
      const error = withCode(code);
      expect(isUnavailable(error)).toBe(false);
      noteConnectionFault(error);
      expect(isUnavailable(error)).toBe(true);
      expect(isUnavailable(withCode(code))).toBe(false);
    },
  );

  it('knows the driver’s own words for a connection that is missing or broken', () => {
    const error = new Error('Connection terminated unexpectedly');
    expect(isUnavailable(error)).toBe(false);
    noteConnectionFault(error);
    expect(isUnavailable(error)).toBe(true);
  });

  it.each(['57P01', '08006', '53300', '25006', '25P03'])('knows %s by PostgreSQL’s own code', (code) => {
    expect(isUnavailable(withCode(code))).toBe(true);
  });

  it.each(['23505', '22021', '40P01', 'ENOENT'])('does not take %s for it', (code) => {
    const error = withCode(code);
    noteConnectionFault(error);
    expect(isUnavailable(error)).toBe(false);
  });

  it('takes what is no error for none, and its own class for itself', () => {
    noteConnectionFault('text');
    expect(['text', null, undefined].map(isUnavailable)).toEqual([false, false, false]);
    expect(isUnavailable(new DatabaseUnavailableError('away'))).toBe(true);
  });
});

import { describe, expect, it } from '@jest/globals';
import { createLogger } from './logger.js';

function logged(fields: Record<string, unknown>): Record<string, unknown> {
  let line = '';
  createLogger({ level: 'info', process: 'test' }, { write: (text) => (line = text) }).info(fields, 'event');
  return JSON.parse(line);
}

describe('createLogger', () => {
  it('redacts secret names at the top and one level down, and leaves the given object unchanged', () => {
    const given = { deliveryId: 'd', password: 'p', headers: { authorization: 'Basic x', accept: '*/*' } };
    expect(logged(given)).toMatchObject({
      deliveryId: 'd',
      password: '[redacted]',
      headers: { authorization: '[redacted]', accept: '*/*' },
    });
    expect(given.password).toBe('p');
    expect(logged({ change: { body: '{}' } })).toMatchObject({ change: { body: '[redacted]' } });
    expect(logged({ signingSecret: 's' })).toMatchObject({ signingSecret: '[redacted]' });
  });

  it('leaves fields without secrets as they are', () => {
    const given = { deliveryId: 'd', config: { poolSize: 10, list: ['a'] }, none: null };
    expect(logged(given)).toMatchObject(given);
  });

  it('writes one JSON line with the process, the time and the event name', () => {
    expect(logged({ deliveryId: 'd' })).toMatchObject({
      process: 'test',
      pid: process.pid,
      time: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T/),
      msg: 'event',
    });
  });
});

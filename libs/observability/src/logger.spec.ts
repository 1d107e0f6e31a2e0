import { VERSION } from '#libs/contracts';
import { describe, expect, it } from '@jest/globals';
import { createLogger } from './logger.js';

function logged(fields: Record<string, unknown>): Record<string, unknown> {
  let line = '';
  createLogger({ level: 'info', process: 'test' }, { write: (text) => (line = text) }).info(fields, 'event');
  return JSON.parse(line);
}

describe('createLogger', () => {
  it('redacts fields with secret names in a log line and one level below, and does not modify the given object', () => {
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

  it('logs fields without secret names unchanged', () => {
    const given = { deliveryId: 'd', config: { poolSize: 10, list: ['a'] }, none: null };
    expect(logged(given)).toMatchObject(given);
  });

  it('logs one JSON line with the process, its version, the time and the event name', () => {
    expect(logged({ deliveryId: 'd' })).toMatchObject({
      process: 'test',
      version: VERSION,
      pid: process.pid,
      time: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T/),
      msg: 'event',
    });
  });
});

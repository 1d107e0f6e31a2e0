import { describe, expect, it } from '@jest/globals';
import { withoutSecrets } from './without-secrets.js';

describe('withoutSecrets', () => {
  it('cuts secrets out at the top and one level down, and leaves the given object as it is', () => {
    const given = { deliveryId: 'd', password: 'p', headers: { authorization: 'Basic x', accept: '*/*' } };
    expect(withoutSecrets(given)).toEqual({
      deliveryId: 'd',
      password: '[redacted]',
      headers: { authorization: '[redacted]', accept: '*/*' },
    });
    expect(given.password).toBe('p');
    expect(withoutSecrets({ change: { body: '{}' } })).toEqual({ change: { body: '[redacted]' } });
    expect(withoutSecrets({ signingSecret: 's' })).toEqual({ signingSecret: '[redacted]' });
  });

  it('hands on what holds none', () => {
    const given = { deliveryId: 'd', config: { poolSize: 10, list: ['a'] }, none: null };
    expect(withoutSecrets(given)).toBe(given);
  });
});

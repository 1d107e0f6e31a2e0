import { describe, expect, it } from '@jest/globals';
import { changeOf, NEW_CHANNEL, valuesOf } from './channel-values';

const CHANNEL = {
  id: 'id',
  name: 'On call',
  kind: 'slack',
  host: 'hooks.slack.example',
  recipients: [],
  issueKinds: ['down'],
  severities: ['page', 'ticket'],
  consumerIds: null,
  hours: { timeZone: 'UTC', days: [1, 7], from: '22:00', to: '06:00' },
  enabled: true,
  pending: 0,
  failed: 0,
  lastSentAt: null,
  lastError: null,
  createdAt: '2026-01-01T00:00:00Z',
} as const;

describe('form of a channel', () => {
  it('an unchanged channel keeps its destination, filter and hours', () => {
    const values = valuesOf({
      ...CHANNEL,
      recipients: [],
      issueKinds: ['down'],
      severities: ['page', 'ticket'],
      hours: { ...CHANNEL.hours, days: [1, 7] },
    });
    expect(changeOf(values)).toEqual({
      name: 'On call',
      issueKinds: ['down'],
      severities: ['page', 'ticket'],
      consumerIds: null,
      hours: CHANNEL.hours,
      enabled: true,
    });
  });

  it('only the destination of the kind is sent', () => {
    const typed = {
      ...NEW_CHANNEL,
      url: ' https://a.example ',
      routingKey: 'k',
      recipients: ['a@b.example'],
    };
    expect(changeOf(typed)).toMatchObject({ url: 'https://a.example' });
    expect(changeOf(typed)).not.toHaveProperty('routingKey');
    expect(changeOf({ ...typed, kind: 'pagerduty' })).toMatchObject({ routingKey: 'k' });
    expect(changeOf({ ...typed, kind: 'email' })).toMatchObject({ recipients: ['a@b.example'] });
    expect(changeOf({ ...typed, kind: 'email' })).not.toHaveProperty('url');
  });
});

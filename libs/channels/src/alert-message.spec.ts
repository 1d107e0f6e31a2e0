import { describe, expect, it } from '@jest/globals';
import { ALERT_EVENTS } from '#libs/contracts';
import { alertWords } from './alert-message.js';

const ALERT = {
  alertId: 'id-1',
  kind: 'endpoint_down',
  event: 'down',
  at: new Date('2026-03-01T10:00:00Z'),
  since: null,
  number: null,
  consumerName: 'Falcon Air Cargo',
  earlier: 0,
} as const;
const FACTS = { since: new Date('2026-03-01T09:00:00Z'), number: 2 } as const;

describe('words of an alert', () => {
  it('an alert says what has happened, with a link to the portal and who chose it', () => {
    expect(alertWords(ALERT, 'https://dispatcher.bank.example')).toEqual({
      subject: 'Falcon Air Cargo: your server does not accept payment notifications',
      text: `Since 2026-03-01T10:00:00.000Z every payment notification to your server has failed. The portal shows your server’s answers. Nothing is lost: the notifications wait, and we send them when your server answers 2xx again.

https://dispatcher.bank.example/portal

Your company chose this alert in the portal, under Alerts.
`,
    });
  });

  it('an alert counts the earlier ones of its kind that were not sent', () => {
    const { text } = alertWords({ ...ALERT, earlier: 2 }, null);
    expect(text).toContain('There were 2 earlier alerts of this kind that we did not send.');
    expect(text).not.toContain('/portal');
  });

  it('no event has an undefined part, and none is in words of the dispatcher', () => {
    for (const event of [...ALERT_EVENTS, 'test'] as const) {
      const { subject, text } = alertWords({ ...ALERT, ...FACTS, event }, null);
      expect(subject + text).not.toMatch(/undefined|null|\b(circuit|held|dead|settled|probe)\b/);
    }
  });
});

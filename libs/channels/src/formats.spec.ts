import { describe, expect, it } from '@jest/globals';
import { ISSUE_EVENTS, ISSUE_KINDS } from '#libs/contracts';
import { emailText } from './formats/email.js';
import { pagerDutyBody, pagerDutySummary } from './formats/pagerduty.js';
import { slackBody } from './formats/slack.js';
import { teamsBody } from './formats/teams.js';
import { webhookBody, webhookSummary } from './formats/webhook.js';
import { announced, type IssueMessage } from './issue-message.js';
import { announcedSummary, type IssueSummary } from './issue-summary.js';

const OPENED: IssueMessage = {
  event: 'opened',
  issueId: 'id-1',
  kind: 'down',
  consumerId: 'consumer-1',
  consumerName: 'Falcon Air Cargo',
  contact: 'ops@falcon.example',
  summary: 'Every attempt has failed for 5 minutes.',
  advice: 'Call the contact.',
  openedAt: new Date('2026-03-01T10:00:00Z'),
  acknowledgedBy: null,
  note: null,
  resolvedAt: null,
  resolvedBy: null,
};
const RESOLVED: IssueMessage = {
  ...OPENED,
  event: 'resolved',
  resolvedAt: new Date('2026-03-01T11:00:00Z'),
};
const ORIGIN = { publicUrl: 'https://dispatcher.bank.example', environment: 'production' };
const SUMMARY: IssueSummary = {
  channelId: 'channel-1',
  counts: new Map([
    ['dead_not_settled', 39],
    ['down', 1],
  ]),
  unresolved: 12,
  since: new Date('2026-03-01T10:00:00Z'),
};
const NOWHERE = { publicUrl: null, environment: null };

describe('formats of channel messages', () => {
  it('an e-mail has the title as its subject, and the summary, advice, contact and link as its text', () => {
    expect(emailText(announced([OPENED], ORIGIN))).toEqual({
      subject: '[production] Opened: Falcon Air Cargo, down',
      text: `Opened: Falcon Air Cargo, down

Every attempt has failed for 5 minutes.
Call the contact.
Contact: ops@falcon.example
Since 2026-03-01T10:00:00.000Z

https://dispatcher.bank.example/issues/id-1
`,
    });
  });

  it('several messages are one e-mail whose subject counts them', () => {
    const { subject, text } = emailText(announced([OPENED, RESOLVED, OPENED], NOWHERE));
    expect(subject).toBe('3 messages about issues: 2 opened, 1 resolved');
    expect(text.split('\n---\n')).toHaveLength(3);
    expect(text).toContain('Resolved: Falcon Air Cargo, down\n\nAutomatically at 2026-03-01T11:00:00.000Z');
  });

  it('a Slack message has a section for each issue, and a name can neither mention people nor make a link', () => {
    const hostile = { ...OPENED, consumerName: '<!channel> <https://x.example|*y*>', contact: null };
    const body = JSON.stringify(slackBody(announced([hostile, RESOLVED], ORIGIN)));
    expect(body).not.toContain('<!channel>');
    expect(body).not.toContain('<https://x');
    expect(slackBody(announced([OPENED], ORIGIN))).toMatchObject({
      text: '[production] Opened: Falcon Air Cargo, down',
      blocks: [
        {
          type: 'section',
          text: {
            text: expect.stringContaining(
              '<https://dispatcher.bank.example/issues/id-1|Open in the console>',
            ),
          },
        },
      ],
    });
  });

  it('a Teams message is one Adaptive Card, and a name cannot make a link', () => {
    const body = teamsBody(
      announced([{ ...OPENED, consumerName: '[x](https://x.example)' }, RESOLVED], ORIGIN),
    );
    expect(body).toMatchObject({
      type: 'message',
      attachments: [
        { contentType: 'application/vnd.microsoft.card.adaptive', content: { type: 'AdaptiveCard' } },
      ],
    });
    expect(JSON.stringify(body)).not.toContain('[x](');
    expect(JSON.stringify(body)).toContain(
      '[Open in the console](https://dispatcher.bank.example/issues/id-1)',
    );
  });

  it.each([
    ['opened', 'trigger'],
    ['acknowledged', 'acknowledge'],
    ['resolved', 'resolve'],
  ] as const)('PagerDuty gets for %s the action %s with the issue as its key', (event, action) => {
    const body = pagerDutyBody({ ...OPENED, event }, ORIGIN, 'key');
    expect(body).toMatchObject({ routing_key: 'key', event_action: action, dedup_key: 'id-1' });
    expect('payload' in body).toBe(event === 'opened');
  });

  it('a PagerDuty incident has a severity, a source and a summary of at most 1,024 characters', () => {
    const consumerName = 'x'.repeat(2_000);
    expect(pagerDutyBody({ ...OPENED, consumerName }, ORIGIN, 'key')).toMatchObject({
      client_url: 'https://dispatcher.bank.example/issues/id-1',
      payload: {
        severity: 'critical',
        source: consumerName,
        class: 'down',
        summary: expect.stringMatching(/^.{1024}$/),
      },
    });
  });

  it('the body of a signed webhook has each message with all its facts', () => {
    const acknowledged: IssueMessage = {
      ...OPENED,
      event: 'acknowledged',
      acknowledgedBy: 'ann',
      note: 'called',
    };
    expect(webhookBody([acknowledged], ORIGIN)).toEqual({
      environment: 'production',
      messages: [
        {
          event: 'acknowledged',
          issueId: 'id-1',
          kind: 'down',
          severity: 'page',
          title: 'Acknowledged: Falcon Air Cargo, down',
          consumerId: 'consumer-1',
          consumerName: 'Falcon Air Cargo',
          contact: 'ops@falcon.example',
          summary: 'Every attempt has failed for 5 minutes.',
          advice: 'Call the contact.',
          openedAt: '2026-03-01T10:00:00.000Z',
          acknowledgedBy: 'ann',
          note: 'called',
          resolvedAt: null,
          resolvedBy: null,
          url: 'https://dispatcher.bank.example/issues/id-1',
        },
      ],
      summary: null,
    });
  });

  it('a summary of issues above the limit has their count, and links to the list', () => {
    const title = '[production] And 40 more issues: dead deliveries, not settled (39); down (1)';
    const url = 'https://dispatcher.bank.example/issues';
    expect(emailText(announcedSummary(SUMMARY, ORIGIN))).toMatchObject({
      subject: title,
      text: expect.stringContaining(url),
    });
    expect(slackBody(announcedSummary(SUMMARY, ORIGIN))).toMatchObject({ text: title });
    expect(JSON.stringify(teamsBody(announcedSummary(SUMMARY, ORIGIN)))).toContain('And 40 more issues');
    expect(pagerDutySummary(SUMMARY, ORIGIN, 'key')).toMatchObject({
      event_action: 'trigger',
      dedup_key: 'critical issues above the limit of channel channel-1',
      client_url: url,
      payload: { summary: title, class: 'down', severity: 'critical' },
    });
    expect(webhookSummary(SUMMARY, ORIGIN)).toEqual({
      environment: 'production',
      messages: [],
      summary: {
        title,
        count: 40,
        counts: { dead_not_settled: 39, down: 1 },
        unresolved: 12,
        since: '2026-03-01T10:00:00.000Z',
        url,
      },
    });
    const local = [emailText, slackBody, teamsBody].map((format) =>
      format(announcedSummary(SUMMARY, NOWHERE)),
    );
    expect(JSON.stringify(local)).not.toMatch(/undefined|\/issues/);
  });

  it('every kind and event has a title without undefined parts, with and without a consumer', () => {
    for (const kind of ISSUE_KINDS)
      for (const event of ISSUE_EVENTS)
        for (const consumerName of ['Acme', null]) {
          const message = { ...OPENED, kind, event, consumerName };
          const text = JSON.stringify([
            emailText(announced([message], NOWHERE)),
            slackBody(announced([message], NOWHERE)),
            teamsBody(announced([message], NOWHERE)),
            pagerDutyBody(message, NOWHERE, 'key'),
          ]);
          expect(text).not.toMatch(/undefined|null, |console/);
        }
  });
});

import { describe, expect, it } from '@jest/globals';
import { issueRows } from './issue-rows';
import type { Issue } from './issue-words';

const issue = (id: string, change: Partial<Issue>): Issue => ({
  id,
  kind: 'down',
  severity: 'page',
  state: 'open',
  consumerId: 'acme',
  consumerName: 'Acme',
  contact: null,
  waiting: 0,
  dead: 0,
  summary: '',
  advice: '',
  openedAt: '2026-01-01T00:00:00Z',
  endedAt: null,
  acknowledgedAt: null,
  acknowledgedBy: null,
  note: null,
  resolvedAt: null,
  resolvedBy: null,
  resolution: null,
  ...change,
});

describe('rows of issues', () => {
  it('the unresolved issues of a consumer are one row that the first of them leads', () => {
    const rows = issueRows([
      issue('down', {}),
      issue('other', { consumerId: 'falcon' }),
      issue('dead', { kind: 'dead_not_settled', state: 'acknowledged' }),
    ]);
    expect(rows.map(({ lead, others }) => [lead.id, others.map(({ id }) => id)])).toEqual([
      ['down', ['dead']],
      ['other', []],
    ]);
  });

  it('resolved issues, and issues without a consumer, have rows of their own', () => {
    const rows = issueRows([
      issue('a', { state: 'resolved' }),
      issue('b', { state: 'resolved' }),
      issue('c', { consumerId: null }),
      issue('d', { consumerId: null }),
    ]);
    expect(rows.map(({ lead }) => lead.id)).toEqual(['a', 'b', 'c', 'd']);
  });
});

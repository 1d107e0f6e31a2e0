import { describe, expect, it } from '@jest/globals';
import { needsAttention, overviewText, type Overview } from './overview-text.js';

const AT = '2026-03-01T10:00:00.000Z';
const before = (seconds: number): string => new Date(Date.parse(AT) - seconds * 1_000).toISOString();

const HEALTH: Overview['queue']['trouble'][number]['health'] = {
  state: 'down',
  since: before(28 * 60),
  lastSuccessAt: null,
  summary: 'Every attempt fails.',
  advice: 'Call the contact.',
  cause: {
    words: 'The last 320 attempts were answered HTTP 401',
    outcome: 'http_status',
    httpStatus: 401,
    count: 320,
    of: 320,
  },
  side: 'theirs',
  successShare: 0,
  failuresInARow: 320,
  dead: { count: 0, oldestAt: null },
  notices: [],
  planned: false,
  waiting: 120,
  oldestDueAt: null,
  inPerMinute: 1,
  outPerMinute: 0,
  trend: 'growing',
  drainsInSeconds: null,
};
const QUIET: Overview = {
  issues: [],
  queue: {
    asOf: AT,
    sending: { state: 'active', pausedAt: null, pauseReason: null, pausedBy: null },
    states: [
      {
        state: 'queued',
        holdReason: null,
        count: 0,
        countIsCapped: false,
        oldestDueAt: null,
        oldestAgeSeconds: null,
      },
    ],
    rates: {
      acceptedPerMinute: 2,
      failedPerMinute: 0,
    },
    missingWorkers: [],
    workers: [
      {
        workerId: 'w',
        host: 'h',
        pid: 1,
        startedAt: AT,
        lastSeenAt: AT,
        concurrency: 512,
        sending: 3,
        sessions: 1,
      },
    ],
    figures: {
      waiting: 0,
      oldestDueAt: null,
      dead: { count: 0, oldestAt: null },
      consumers: 11,
      consumersReceivingAll: 8,
      successShare: 0.987,
      consumersDown: 0,
    },
    backlog: {
      waiting: 0,
      oldestDueAt: null,
      inPerMinute: 2,
      outPerMinute: 2,
      trend: 'empty',
      drainsInSeconds: null,
    },
    consumers: [],
    trouble: [],
    troubleTotal: 0,
    unrouted: { count: 0, countIsCapped: false, seenUntil: null, until: AT },
    agreement: { agrees: true, detail: '', queue: null, database: { overdueConsumers: 0 } },
  },
};
const withQueue = (change: Partial<Overview['queue']>): Overview => ({
  ...QUIET,
  queue: { ...QUIET.queue, ...change },
});
const withTrouble = (health: Partial<typeof HEALTH>, pausedUntil: string | null = null): Overview =>
  withQueue({
    trouble: [
      {
        consumerId: 'c',
        name: 'Falcon \u001B[31m',
        contact: 'ops@falcon.example',
        pausedUntil,
        health: { ...HEALTH, ...health },
      },
    ],
  });
const ISSUE: Overview['issues'][number] = {
  id: 'i',
  kind: 'down',
  severity: 'page',
  waiting: 3,
  dead: 0,
  state: 'acknowledged',
  consumerId: 'c',
  consumerName: 'Falcon',
  contact: null,
  summary: 'Every attempt fails.',
  advice: 'Call.',
  openedAt: before(3 * 86_400 + 7_200),
  endedAt: null,
  acknowledgedAt: AT,
  acknowledgedBy: 'ann',
  note: null,
  resolvedAt: null,
  resolvedBy: null,
  resolution: null,
};

describe('overview for a terminal', () => {
  it('an installation without problems needs no attention and shows its figures', () => {
    expect(needsAttention(QUIET)).toBe(false);
    expect(overviewText(QUIET)).toBe(`Nothing needs attention, as of 2026-03-01T10:00:00.000Z
Sending: active, 1 worker, 3 requests in flight
Last 5 minutes: 2 in and 2 out per minute
Oldest overdue: none
Dead deliveries to handle: 0
Consumers that receive everything: 8 of 11
Successful attempts to them in 15 minutes: 98.7 %
Consumers down: 0

Issues: 0

Consumers that need attention: 0

Waiting deliveries: 0
`);
  });

  it('a consumer that is down is shown with its cause and contact, without control characters', () => {
    const overview = withTrouble({});
    expect(needsAttention(overview)).toBe(true);
    expect(overviewText(overview)).toContain(
      '  Falcon  [31m  down  28 min  120 waiting  The last 320 attempts were answered HTTP 401  ops@falcon.example\n',
    );
  });

  it('a planned pause needs no attention, unless it has no end or deliveries are dead', () => {
    const paused = { state: 'paused', planned: true } as const;
    expect(needsAttention(withTrouble(paused, AT))).toBe(false);
    expect(needsAttention(withTrouble(paused))).toBe(true);
    expect(needsAttention(withTrouble({ ...paused, dead: { count: 1, oldestAt: AT } }, AT))).toBe(true);
  });

  it('an unresolved issue needs attention and shows who takes care of it', () => {
    const overview = { ...QUIET, issues: [ISSUE] };
    expect(needsAttention(overview)).toBe(true);
    expect(overviewText(overview)).toContain(
      'Issues: 1\n  down  Falcon  3 d 2 h  acknowledged by ann  Every attempt fails.\n',
    );
  });

  it('a pause of all sending, and an installation without workers, need attention', () => {
    const paused = withQueue({
      sending: { state: 'paused', pausedAt: AT, pauseReason: 'maintenance', pausedBy: 'ann' },
    });
    expect(needsAttention(paused)).toBe(true);
    expect(overviewText(paused)).toContain(`Sending: PAUSED by ann since ${AT}: maintenance`);
    expect(needsAttention(withQueue({ workers: [] }))).toBe(true);
    expect(overviewText(withQueue({ workers: [] }))).toContain('NOTHING IS SENT: no worker is alive');
  });

  it('a worker that is missing is named, with the time since its last heartbeat', () => {
    const { queue } = QUIET;
    const lastSeenAt = new Date(Date.parse(queue.asOf) - 42_000).toISOString();
    const text = overviewText(
      withQueue({ missingWorkers: queue.workers.map((one) => ({ ...one, lastSeenAt })) }),
    );
    expect(text).toContain('Missing worker: h, process 1, silent for 42 s\n');
  });

  it('more than 15 rows are counted', () => {
    const issues = Array.from({ length: 40 }, () => ISSUE);
    expect(overviewText({ ...QUIET, issues })).toContain('  and 25 more in the console\n');
  });

  it('waiting deliveries are listed by state and reason', () => {
    const states = [
      {
        state: 'held',
        holdReason: 'circuit',
        count: 100_000,
        countIsCapped: true,
        oldestDueAt: before(45),
        oldestAgeSeconds: 45,
      },
    ] as const;
    expect(overviewText(withQueue({ states: [...states] }))).toContain(
      '  held, circuit  100000 or more  oldest 45 s\n',
    );
  });
});

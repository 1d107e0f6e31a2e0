import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { HEALTH_STATES, ISSUE_KINDS } from '#libs/contracts';
import { consumerHealth, type ConsumerHealth } from './consumer-health.js';
import type { HealthFacts } from './health-facts.js';
import { changesOf, issuesOf, type FoundIssue, type HealthNow, type OngoingIssue } from './issues.js';

const NOW = new Date('2025-11-20T09:30:00.000Z');
const ago = (ms: number): Date => new Date(NOW.getTime() - ms);
const MINUTE = 60_000;

const QUIET: HealthFacts = {
  secretFault: null,
  paused: null,
  circuitOpenedAt: null,
  failedProbes: 0,
  failures: 0,
  firstFailureAt: null,
  lastSuccessAt: ago(1_000),
  attempts: 10,
  failedAttempts: 0,
  failedLately: 0,
  diedLately: 0,
  failingSince: null,
  causes: [],
  oldestFailedAt: null,
  waiting: 0,
  oldestDueAt: null,
  inPerMinute: 1,
  outPerMinute: 1,
  recoveredAt: null,
  dead: { count: 0, oldestAt: null },
  certificates: [],
  isSendingStopped: false,
};
const health = (facts: Partial<HealthFacts>): ConsumerHealth => consumerHealth({ ...QUIET, ...facts }, NOW);
const kinds = (facts: Partial<HealthFacts>): string[] =>
  issuesOf('c', health(facts), NOW).map(({ kind }) => kind);
const down = (failedProbes: number): Partial<HealthFacts> => ({
  failures: 10 + failedProbes,
  failedProbes,
  circuitOpenedAt: ago(MINUTE),
  firstFailureAt: ago(2 * MINUTE),
});
const failing = (forMs: number): Partial<HealthFacts> => ({
  failures: 4,
  firstFailureAt: ago(forMs),
  oldestFailedAt: ago(forMs),
});

describe('issuesOf', () => {
  it.each<[string, Partial<HealthFacts>, readonly string[]]>([
    ['a healthy consumer', {}, []],
    ['broken credentials', { secretFault: { words: 'no key', since: ago(1) } }, ['credentials_broken']],
    ['an open circuit whose second probe has failed', down(2), []],
    ['an open circuit whose third probe has failed', down(3), ['down']],
    ['a delivery that fails for less than 10 minutes', failing(10 * MINUTE - 1), []],
    ['a delivery that fails for 10 minutes', failing(10 * MINUTE), ['degraded']],
    ['failed attempts without a late delivery', { ...failing(10 * MINUTE), oldestFailedAt: null }, []],
    [
      'a backlog that grows',
      { waiting: 9, oldestDueAt: ago(6 * MINUTE), inPerMinute: 9 },
      ['falling_behind'],
    ],
    [
      'a backlog that drains for hours',
      { waiting: 900, oldestDueAt: ago(60 * MINUTE), inPerMinute: 1, outPerMinute: 3 },
      [],
    ],
    [
      'a backlog that grows while attempts fail',
      { waiting: 9, oldestDueAt: ago(6 * MINUTE), inPerMinute: 9, failures: 3, firstFailureAt: ago(MINUTE) },
      [],
    ],
    ['a planned pause', { paused: { since: ago(MINUTE), reason: 'test', byAnswer: false } }, []],
    ['a pause by 410', { paused: { since: ago(1), reason: null, byAnswer: true } }, ['paused_unplanned']],
    [
      'a pause of 30 days',
      { paused: { since: ago(30 * 1_440 * MINUTE), reason: 'test', byAnswer: false } },
      ['paused_unplanned'],
    ],
    ['a dead delivery', { dead: { count: 1, oldestAt: ago(1) } }, ['dead_not_settled']],
  ])('%s', (_condition, facts, expected) => {
    expect(kinds(facts)).toEqual(expected);
  });

  it('certificates that expire soon are told apart by their end, except the server’s, which the consumer may change at will', () => {
    const soon = new Date(NOW.getTime() + 86_400_000);
    const certificates = [
      { use: 'server', notAfter: soon },
      { use: 'client', notAfter: soon },
      { use: 'authority', notAfter: soon },
      { use: 'authority', notAfter: soon },
    ] as const;
    expect(issuesOf('c', health({ certificates }), NOW).map(({ subject }) => subject)).toEqual([
      'server',
      `client ${soon.toISOString()}`,
      `authority ${soon.toISOString()}`,
    ]);
  });
});

const place = fc.record({
  consumerId: fc.constantFrom('a', 'b', null),
  kind: fc.constantFrom(...ISSUE_KINDS),
  subject: fc.constantFrom('', 'x'),
});
const keyOf = (issue: Pick<FoundIssue, 'consumerId' | 'kind' | 'subject'>): string =>
  `${String(issue.consumerId)} ${issue.kind} ${issue.subject}`;
const found = fc.uniqueArray(
  place.map((issue): FoundIssue => ({ ...issue, summary: 's', advice: 'a' })),
  { selector: keyOf },
);
const ongoing = fc
  .uniqueArray(fc.tuple(place, fc.integer({ min: 0, max: 20 * MINUTE }), fc.boolean()), {
    selector: ([issue]) => keyOf(issue),
  })
  .map((all) =>
    all.map(([issue, ageMs, isResolved], id): OngoingIssue => ({
      ...issue,
      id: String(id),
      lastSeenAt: ago(ageMs),
      isResolved,
    })),
  );
const healthNow = fc.record({ state: fc.constantFrom(...HEALTH_STATES), failures: fc.nat(5) });
const states = fc
  .record({ a: healthNow, b: healthNow }, { requiredKeys: [] })
  .map((of) => new Map<string, HealthNow>(Object.entries(of)));

describe('changesOf', () => {
  it('opens each found issue of the installation unless it is ongoing, and never ends one that was found', () => {
    fc.assert(
      fc.property(ongoing, found, states, (before, now, health_) => {
        const changes = changesOf(before, now, health_, NOW);
        const ongoingKeys = new Set(before.map(keyOf));
        const foundKeys = new Set(now.map(keyOf));
        const ofInstallation = (all: readonly FoundIssue[]) =>
          all.filter(({ consumerId }) => consumerId === null).map(keyOf);
        expect(ofInstallation(changes.opened)).toEqual(
          ofInstallation(now).filter((key) => !ongoingKeys.has(key)),
        );
        const endedKeys = before.filter(({ id }) => changes.ended.includes(id)).map(keyOf);
        expect(endedKeys.filter((key) => foundKeys.has(key))).toEqual([]);
      }),
    );
  });

  it('leaves a consumer at most one unresolved issue of a kind, and at least one for each kind found that nobody has resolved', () => {
    const placeOf = ({ consumerId, kind }: Pick<FoundIssue, 'consumerId' | 'kind'>): string =>
      `${String(consumerId)} ${kind}`;
    fc.assert(
      fc.property(ongoing, found, states, (all, now, health_) => {
        // What was unresolved before obeys the rule.
        const seen = new Set<string>();
        const before = all.filter((issue) => {
          if (issue.consumerId === null || issue.isResolved) return true;
          const isFirst = !seen.has(placeOf(issue));
          seen.add(placeOf(issue));
          return isFirst;
        });
        const { opened, ended } = changesOf(before, now, health_, NOW);
        const left = [...before.filter(({ id, isResolved }) => !isResolved && !ended.includes(id)), ...opened]
          .filter(({ consumerId }) => consumerId !== null)
          .map(placeOf);
        expect(left).toEqual([...new Set(left)]);
        const resolved = new Set(before.filter(({ isResolved }) => isResolved).map(keyOf));
        for (const issue of now.filter((each) => each.consumerId !== null && !resolved.has(keyOf(each))))
          expect(left).toContain(placeOf(issue));
      }),
    );
  });

  it('ends an issue that was not found at once, except one that comes and goes: that after 10 minutes, if neither its state nor three consecutive failures have returned', () => {
    fc.assert(
      fc.property(ongoing, found, states, (before, now, health_) => {
        const { ended } = changesOf(before, now, health_, NOW);
        const foundKeys = new Set(now.map(keyOf));
        for (const issue of before.filter((each) => !foundKeys.has(keyOf(each)))) {
          const { state = '', failures = 0 } = health_.get(issue.consumerId ?? '') ?? {};
          const comesAndGoes = ['down', 'degraded', 'falling_behind'].includes(issue.kind);
          const mayReturn = ['healthy', 'down', 'degraded', 'falling_behind'].includes(state);
          const isFresh = NOW.getTime() - issue.lastSeenAt.getTime() < 10 * MINUTE;
          const isBack =
            issue.kind === 'falling_behind'
              ? state === issue.kind
              : ['down', 'degraded'].includes(state) || failures >= 3;
          expect([issue, ended.includes(issue.id)]).toEqual([
            issue,
            !(comesAndGoes && mayReturn && (isFresh || isBack)),
          ]);
        }
      }),
    );
  });

  it('notes an ongoing issue once a minute', () => {
    const issue = { id: '1', consumerId: 'a', kind: 'down', subject: '', isResolved: false } as const;
    const now = [{ ...issue, summary: '', advice: '' }];
    const seen = (ageMs: number) =>
      changesOf([{ ...issue, lastSeenAt: ago(ageMs) }], now, new Map(), NOW).seen;
    expect([seen(MINUTE - 1), seen(MINUTE)]).toEqual([[], ['1']]);
  });

  it('notes an issue that is not found while deliveries are late or attempts fail, so that its 10 minutes begin after them', () => {
    const issue = { id: '1', consumerId: 'a', kind: 'down', subject: '', isResolved: false } as const;
    const seen = (of: HealthNow) =>
      changesOf([{ ...issue, lastSeenAt: ago(MINUTE) }], [], new Map([['a', of]]), NOW).seen;
    expect(seen({ state: 'degraded', failures: 0 })).toEqual(['1']);
    expect(seen({ state: 'healthy', failures: 3 })).toEqual(['1']);
    expect(seen({ state: 'healthy', failures: 2 })).toEqual([]);
  });
});

import { describe, expect, test } from 'vitest';
import * as fc from 'fast-check';
import { acceptedEvent, arrival } from './observation-examples.js';
import { deliveryKey, type Arrival, type AcceptedEvent } from './observations.js';
import { judge, type Verdict } from './verdict.js';

const SENT = { eventType: 'wire.status', eventDateTime: '2026-11-20T09:30:00.000Z', data: { a: 1 } };
const bodyOf = (notificationId: string): string => JSON.stringify({ notificationId, ...SENT });

/** Builds the evidence of a run; sequence numbers follow the order of the calls. */
class EvidenceBuilder {
  readonly accepted: AcceptedEvent[] = [];
  readonly arrivals: Arrival[] = [];
  readonly bodies = new Map<string, Map<string, string>>();
  readonly storedBodies = new Map<string, string>();
  readonly excluded = new Set<string>();
  private sequence = 0;

  accept(notificationId: string, position: number, consumers = ['acme'], payment = 'P'): this {
    this.accepted.push(acceptedEvent(notificationId, { payment, position, consumers, sent: SENT }));
    this.storedBodies.set(notificationId, bodyOf(notificationId));
    return this;
  }

  begin(notificationId: string, given: Partial<Arrival> & { body?: string } = {}): Arrival {
    const { body = bodyOf(notificationId), ...rest } = given;
    this.sequence += 1;
    const begun = arrival(notificationId, {
      beganSequence: this.sequence,
      beganAtMs: this.sequence,
      bodyHash: body,
      ...rest,
    });
    this.arrivals.push(begun);
    const known = this.bodies.get(notificationId) ?? new Map<string, string>();
    this.bodies.set(notificationId, known.set(body, body));
    return begun;
  }

  acknowledge(begun: Arrival): void {
    begun.acknowledgedSequence = this.sequence += 1;
    begun.acknowledgedAtMs = this.sequence;
  }

  deliver(notificationId: string, given: Partial<Arrival> & { body?: string } = {}): this {
    this.acknowledge(this.begin(notificationId, given));
    return this;
  }

  get verdict(): Verdict {
    const { accepted, arrivals, bodies, storedBodies, excluded } = this;
    return judge({ accepted, arrivals, bodies, storedBodies, excluded });
  }
}

const GOOD = { lost: [], outOfOrder: [], foreign: [], badSignatures: [], differentBytes: [], duplicates: [] };

describe('verdict of a run', () => {
  test('the verdict has no violation when each notification arrives once and in order', () => {
    const run = new EvidenceBuilder().accept('n0', 0).accept('n1', 1).deliver('n0').deliver('n1');
    expect(run.verdict).toEqual({ ...GOOD, expectedDeliveries: 2 });
  });

  test('reports an arrived delivery that was never acknowledged as lost', () => {
    const run = new EvidenceBuilder().accept('n0', 0).accept('n1', 0, ['acme'], 'Q').deliver('n1');
    run.begin('n0');
    expect(run.verdict).toMatchObject({ ...GOOD, lost: ['n0 acme'] });
  });

  test('reports a status as out of order when the previous one arrived later or was not acknowledged yet', () => {
    const swapped = new EvidenceBuilder().accept('n0', 0).accept('n1', 1).deliver('n1').deliver('n0');
    expect(swapped.verdict).toMatchObject({ ...GOOD, outOfOrder: ['n1 acme'] });

    const tooEarly = new EvidenceBuilder().accept('n0', 0).accept('n1', 1);
    const first = tooEarly.begin('n0');
    const second = tooEarly.begin('n1');
    tooEarly.acknowledge(first);
    tooEarly.acknowledge(second);
    expect(tooEarly.verdict).toMatchObject({ ...GOOD, outOfOrder: ['n1 acme'] });
  });

  test('reports a late repetition as a duplicate and not as out of order', () => {
    const run = new EvidenceBuilder()
      .accept('n0', 0)
      .accept('n1', 1)
      .deliver('n0')
      .deliver('n1')
      .deliver('n0');
    const { duplicates, ...rest } = run.verdict;
    expect(rest).toMatchObject({ lost: [], outOfOrder: [] });
    expect(duplicates).toEqual([
      { arrival: run.arrivals[2], acknowledged: run.arrivals[0], acknowledgedAtMs: 2 },
    ]);
  });

  test('accepts a gap in the order after a dead delivery', () => {
    const run = new EvidenceBuilder().accept('n0', 0).accept('n1', 1).deliver('n1');
    run.excluded.add(deliveryKey('n0', 'acme'));
    expect(run.verdict).toMatchObject({ outOfOrder: [], lost: ['n0 acme'] });
  });

  test('checks the order of arrivals per consumer and payment', () => {
    const run = new EvidenceBuilder().accept('n0', 0, ['acme', 'globex']).accept('n1', 1, ['globex']);
    run.accept('m0', 0, ['acme'], 'Q').deliver('m0').deliver('n0').deliver('n0', { consumer: 'globex' });
    expect(run.deliver('n1', { consumer: 'globex' }).verdict).toMatchObject(GOOD);
  });

  test('does not report a retry after a failed attempt as a duplicate', () => {
    const run = new EvidenceBuilder().accept('n0', 0);
    run.begin('n0');
    expect(run.deliver('n0').verdict).toMatchObject(GOOD);
  });

  test('reports notifications that reached a wrong consumer', () => {
    const run = new EvidenceBuilder()
      .accept('n0', 0)
      .deliver('n0')
      .deliver('n0', { consumer: 'globex' })
      .deliver('unknown');
    expect(run.verdict).toMatchObject({ ...GOOD, foreign: ['n0 globex', 'unknown acme'] });
  });

  test('reports an arrival with a wrong signature', () => {
    const run = new EvidenceBuilder().accept('n0', 0).deliver('n0', { signature: 'signature_wrong' });
    expect(run.verdict).toMatchObject({ ...GOOD, badSignatures: ['n0 acme signature_wrong'] });
  });

  test('reports bodies that differ between arrivals, from the stored ones, and from the posted change', () => {
    const twice = new EvidenceBuilder().accept('n0', 0, ['acme', 'globex']).deliver('n0');
    twice.deliver('n0', { consumer: 'globex', body: `${bodyOf('n0')} ` });
    expect(twice.verdict.differentBytes).toEqual(['n0 arrived with different bytes']);

    const other = new EvidenceBuilder().accept('n0', 0).deliver('n0', { body: `${bodyOf('n0')} ` });
    expect(other.verdict.differentBytes).toEqual(['n0 arrived with other bytes than PostgreSQL stores']);

    const content = new EvidenceBuilder().accept('n0', 0);
    const body = JSON.stringify({ notificationId: 'n0', ...SENT, data: { a: 2 } });
    content.storedBodies.set('n0', body);
    expect(content.deliver('n0', { body }).verdict.differentBytes).toEqual([
      'n0 differs from what the producer posted',
    ]);

    const missing = new EvidenceBuilder().accept('n0', 0).deliver('n0');
    missing.storedBodies.clear();
    expect(missing.verdict.differentBytes).toEqual(['n0 is not in PostgreSQL']);
  });

  test('reports every order of arrival except the order of acceptance', () => {
    const statuses = fc.shuffledSubarray([0, 1, 2, 3, 4], { minLength: 5 });
    fc.assert(
      fc.property(statuses, (arrived) => {
        const run = new EvidenceBuilder();
        for (const position of arrived.toSorted((a, b) => a - b)) run.accept(`n${position}`, position);
        for (const position of arrived) run.deliver(`n${position}`);
        const isSorted = arrived.every((position, index) => position === index);
        expect(run.verdict.outOfOrder.length === 0).toBe(isSorted);
        expect(run.verdict.lost).toEqual([]);
      }),
    );
  });
});

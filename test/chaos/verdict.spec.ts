import { describe, expect, test } from 'vitest';
import * as fc from 'fast-check';
import { deliveryKey, type Arrival, type PromisedEvent } from './observations.js';
import { judge, type Verdict } from './verdict.js';

const SENT = { eventType: 'wire.status', eventDateTime: '2026-11-20T09:30:00.000Z', data: { a: 1 } };
const bodyOf = (notificationId: string): string => JSON.stringify({ notificationId, ...SENT });

/** A run's evidence in the making: each POST takes its steps in the order of the calls. */
class Story {
  readonly promised: PromisedEvent[] = [];
  readonly arrivals: Arrival[] = [];
  readonly bodies = new Map<string, Map<string, string>>();
  readonly storedBodies = new Map<string, string>();
  readonly excepted = new Set<string>();
  private steps = 0;

  promise(notificationId: string, place: number, consumers = ['acme'], payment = 'P'): this {
    this.promised.push({ notificationId, payment, place, consumers, sent: SENT, promisedAtMs: 0 });
    this.storedBodies.set(notificationId, bodyOf(notificationId));
    return this;
  }

  begin(notificationId: string, given: Partial<Arrival> & { body?: string } = {}): Arrival {
    const { body = bodyOf(notificationId), ...rest } = given;
    const arrival: Arrival = {
      consumer: 'acme',
      notificationId,
      beganStep: (this.steps += 1),
      beganAtMs: this.steps,
      acknowledgedStep: null,
      acknowledgedAtMs: null,
      endedAtMs: null,
      bodyHash: body,
      signature: 'verified',
      ...rest,
    };
    this.arrivals.push(arrival);
    const known = this.bodies.get(notificationId) ?? new Map<string, string>();
    this.bodies.set(notificationId, known.set(body, body));
    return arrival;
  }

  acknowledge(arrival: Arrival): void {
    arrival.acknowledgedStep = this.steps += 1;
    arrival.acknowledgedAtMs = this.steps;
  }

  take(notificationId: string, given: Partial<Arrival> & { body?: string } = {}): this {
    this.acknowledge(this.begin(notificationId, given));
    return this;
  }

  get verdict(): Verdict {
    const { promised, arrivals, bodies, storedBodies, excepted } = this;
    return judge({ promised, arrivals, bodies, storedBodies, excepted });
  }
}

const GOOD = { lost: [], outOfOrder: [], foreign: [], badSignatures: [], differentBytes: [], duplicates: [] };

describe('the judge of a run', () => {
  test('finds nothing in one where each arrived once and in turn', () => {
    const story = new Story().promise('n0', 0).promise('n1', 1).take('n0').take('n1');
    expect(story.verdict).toEqual({ ...GOOD, promisedDeliveries: 2 });
  });

  test('finds a delivery lost that was never acknowledged, although it arrived', () => {
    const story = new Story().promise('n0', 0).promise('n1', 0, ['acme'], 'Q').take('n1');
    story.begin('n0');
    expect(story.verdict).toMatchObject({ ...GOOD, lost: ['n0 acme'] });
  });

  test('finds a status out of order whose predecessor came later, or came and was not acknowledged', () => {
    const swapped = new Story().promise('n0', 0).promise('n1', 1).take('n1').take('n0');
    expect(swapped.verdict).toMatchObject({ ...GOOD, outOfOrder: ['n1 acme'] });

    const tooEarly = new Story().promise('n0', 0).promise('n1', 1);
    const first = tooEarly.begin('n0');
    const second = tooEarly.begin('n1');
    tooEarly.acknowledge(first);
    tooEarly.acknowledge(second);
    expect(tooEarly.verdict).toMatchObject({ ...GOOD, outOfOrder: ['n1 acme'] });
  });

  test('judges the first arrival: a repeat that comes late is a duplicate and not out of order', () => {
    const story = new Story().promise('n0', 0).promise('n1', 1).take('n0').take('n1').take('n0');
    const { duplicates, ...rest } = story.verdict;
    expect(rest).toMatchObject({ lost: [], outOfOrder: [] });
    expect(duplicates).toEqual([
      { arrival: story.arrivals[2], acknowledged: story.arrivals[0], acknowledgedAtMs: 2 },
    ]);
  });

  test('lets a dead predecessor leave a gap', () => {
    const story = new Story().promise('n0', 0).promise('n1', 1).take('n1');
    story.excepted.add(deliveryKey('n0', 'acme'));
    expect(story.verdict).toMatchObject({ outOfOrder: [], lost: ['n0 acme'] });
  });

  test('keeps consumers and payments apart', () => {
    const story = new Story().promise('n0', 0, ['acme', 'globex']).promise('n1', 1, ['globex']);
    story.promise('m0', 0, ['acme'], 'Q').take('m0').take('n0').take('n0', { consumer: 'globex' });
    expect(story.take('n1', { consumer: 'globex' }).verdict).toMatchObject(GOOD);
  });

  test('does not call a retry a duplicate whose former attempt failed', () => {
    const story = new Story().promise('n0', 0);
    story.begin('n0');
    expect(story.take('n0').verdict).toMatchObject(GOOD);
  });

  test('finds what reached somebody else', () => {
    const story = new Story().promise('n0', 0).take('n0').take('n0', { consumer: 'globex' }).take('unknown');
    expect(story.verdict).toMatchObject({ ...GOOD, foreign: ['n0 globex', 'unknown acme'] });
  });

  test('finds a bad signature', () => {
    const story = new Story().promise('n0', 0).take('n0', { signature: 'signature_wrong' });
    expect(story.verdict).toMatchObject({ ...GOOD, badSignatures: ['n0 acme signature_wrong'] });
  });

  test('finds bytes that differ between arrivals, from the stored ones, and from what was sent', () => {
    const twice = new Story().promise('n0', 0, ['acme', 'globex']).take('n0');
    twice.take('n0', { consumer: 'globex', body: `${bodyOf('n0')} ` });
    expect(twice.verdict.differentBytes).toEqual(['n0 arrived with different bytes']);

    const other = new Story().promise('n0', 0).take('n0', { body: `${bodyOf('n0')} ` });
    expect(other.verdict.differentBytes).toEqual(['n0 arrived with other bytes than PostgreSQL has']);

    const content = new Story().promise('n0', 0);
    const body = JSON.stringify({ notificationId: 'n0', ...SENT, data: { a: 2 } });
    content.storedBodies.set('n0', body);
    expect(content.take('n0', { body }).verdict.differentBytes).toEqual([
      'n0 does not say what the producer sent',
    ]);

    const forgotten = new Story().promise('n0', 0).take('n0');
    forgotten.storedBodies.clear();
    expect(forgotten.verdict.differentBytes).toEqual(['n0 is not in PostgreSQL']);
  });

  test('of any order of arrival only the promised one is good', () => {
    const statuses = fc.shuffledSubarray([0, 1, 2, 3, 4], { minLength: 5 });
    fc.assert(
      fc.property(statuses, (arrived) => {
        const story = new Story();
        for (const place of arrived.toSorted((a, b) => a - b)) story.promise(`n${place}`, place);
        for (const place of arrived) story.take(`n${place}`);
        const isSorted = arrived.every((place, index) => place === index);
        expect(story.verdict.outOfOrder.length === 0).toBe(isSorted);
        expect(story.verdict.lost).toEqual([]);
      }),
    );
  });
});

import { describe, expect, it } from '@jest/globals';
import { wireExample, type BatchDto } from '#libs/contracts';
import { IngestService } from './ingest.service.js';

describe('IngestService', () => {
  it('checks large batches that are posted at the same time in different turns of the event loop', async () => {
    /** The producers whose events were checked, by turn. */
    const turns: Set<string>[] = [new Set()];
    let isDone = false;
    const countTurns = (): void => {
      turns.push(new Set());
      if (!isDone) setImmediate(countTurns);
    };
    setImmediate(countTurns);
    const ingest = new IngestService({
      accept: async ({ producer }) => {
        turns.at(-1)?.add(producer);
        return { kind: 'accepted', notificationId: 'n', duplicate: false, deliveries: [] };
      },
    });
    const batch: BatchDto = { events: Array.from({ length: 500 }, () => wireExample()) };
    const producers = ['a', 'b', 'c', 'd', 'e'];
    const answers = await Promise.all(
      producers.map((producer) => ingest.batch(batch, { producer, traceparent: undefined })),
    );
    isDone = true;
    expect(answers.map(({ results }) => results.length)).toEqual(producers.map(() => 500));
    expect(Math.max(...turns.map((turn) => turn.size))).toBe(1);
  });

  it('refuses an event that PostgreSQL refuses, without PostgreSQL’s text', async () => {
    const refusal = Object.assign(new Error('value of 4711 is too long'), { code: '54000' });
    const ingest = new IngestService({ accept: () => Promise.reject(refusal) });
    const answer = await ingest.batch({ events: [wireExample()] }, { producer: 'a', traceparent: undefined });
    const errors = [{ field: 'body', message: 'cannot be stored' }];
    expect(answer.results).toEqual([{ index: 0, status: 'rejected', errors }]);
  });
});

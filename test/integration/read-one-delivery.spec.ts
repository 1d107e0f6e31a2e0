import { text } from 'node:stream/consumers';
import { afterAll, expect, it } from 'vitest';
import type { StreamableFile } from '@nestjs/common';
import { DeliveriesService } from '#apps/api/src/resources/deliveries/deliveries.service';
import {
  DeliveriesRepository,
  EventsRepository,
  openConsumersReading,
  OwnDeliveriesRepository,
  recordAttempts,
  type Database,
} from '#libs/database';
import { everySchedule } from '#test/support/every-schedule';
import { acceptStatuses, deliveryOf, statusFor } from '#test/support/new-status';
import { steppedConnections } from '#test/support/stepped-work';
import { TestSession } from '#test/support/test-session';
import { insertConsumer } from '#test/support/consumer-row';
import { fileDatabase } from '#test/support/file-database';

const { url, pipeline } = await fileDatabase();
const ownReading = openConsumersReading({ url, poolSize: 1 });
const stepped = steppedConnections(url, pipeline.db);
afterAll(() => ownReading.destroy());

interface Shown {
  state: string;
  attemptCount: number;
  attempts: { number: number; outcome: string }[];
}

async function shown(answer: Promise<StreamableFile>): Promise<Shown> {
  return JSON.parse(await text((await answer).getStream()));
}

const reading = (db: Database, id: string, consumerId: string | null): Promise<Shown> =>
  shown(
    new DeliveriesService(
      new DeliveriesRepository(stepped.one.reading, db),
      new OwnDeliveriesRepository(ownReading, db),
      new EventsRepository(stepped.one.reading, db),
    ).read(id, { name: 'ann', roles: [consumerId === null ? 'viewer' : 'consumer'], consumerId }),
  );

it.each([
  { reads: 'an operator', read: (db: Database, id: string) => reading(db, id, null) },
  { reads: 'its consumer', read: reading },
])(
  'a delivery that $reads reads while its second attempt is recorded is shown from before or from after it',
  async ({ read }) => {
    const seen = new Set<string>();
    await everySchedule(async (schedule) => {
      const consumerId = await insertConsumer(pipeline.db);
      const event = statusFor(consumerId);
      const id = deliveryOf(event);
      await acceptStatuses(pipeline, event);
      const session = await TestSession.open(pipeline, consumerId);
      await session.record(id, { retryInMs: 0, spendsAttempt: true });
      await session.fetch();
      const result = session.result(id, { state: 'delivered' });
      const [delivery] = await schedule.both(
        stepped.one.begin((db) => read(db, id, consumerId)),
        stepped.two.begin((_db, over) => recordAttempts(over, [result])),
      );
      const { state, attemptCount, attempts } = delivery;
      expect([
        { state: 'queued', attemptCount: 1, outcomes: ['http_status'] },
        { state: 'delivered', attemptCount: 2, outcomes: ['http_status', 'acknowledged'] },
      ]).toContainEqual({ state, attemptCount, outcomes: attempts.map(({ outcome }) => outcome) });
      seen.add(state);
    });
    expect(seen).toEqual(new Set(['queued', 'delivered']));
  },
);

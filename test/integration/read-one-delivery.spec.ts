import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { StreamableFile } from '@nestjs/common';
import { DeliveriesService } from '#apps/api/src/resources/deliveries/deliveries.service';
import { PortalDeliveriesService } from '#apps/api/src/resources/deliveries/portal-deliveries.service';
import {
  DeliveriesRepository,
  EventsRepository,
  openConsumersReading,
  OwnDeliveriesRepository,
  Pipeline,
  PIPELINE_SETTINGS,
  recordAttempts,
  type ConsumersReadingDatabase,
  type Database,
} from '#libs/database';
import { bareConsumer, deliveryOf, statusFor } from '#test/support/bare-consumer';
import { everySchedule } from '#test/support/every-schedule';
import { acceptStatuses } from '#test/support/new-status';
import { SteppedConnection } from '#test/support/stepped-work';
import { createTestDatabase, type TestDatabase } from '#test/support/test-database';
import { TestSession } from '#test/support/test-session';

let database: TestDatabase;
let pipeline: Pipeline;
let ownReading: ConsumersReadingDatabase;
let reader: SteppedConnection;
let worker: SteppedConnection;

beforeAll(async () => {
  database = await createTestDatabase();
  pipeline = new Pipeline({ url: database.url, poolSize: 2, settings: PIPELINE_SETTINGS });
  ownReading = openConsumersReading({ url: database.url, poolSize: 1 });
  reader = new SteppedConnection(database.url, pipeline.db);
  worker = new SteppedConnection(database.url, pipeline.db);
});
afterAll(async () => {
  await Promise.all([reader.close(), worker.close(), pipeline.close(), ownReading.destroy()]);
  await database.drop();
});

interface Shown {
  state: string;
  attemptCount: number;
  attempts: { number: number; outcome: string }[];
}

async function shown(answer: Promise<StreamableFile>): Promise<Shown> {
  return JSON.parse(await text((await answer).getStream()));
}

const asViewer = (db: Database, id: string): Promise<Shown> =>
  shown(
    new DeliveriesService(new DeliveriesRepository(reader.reading, db)).read(id, {
      name: 'ann',
      roles: ['viewer'],
      consumerId: null,
    }),
  );

const asItsConsumer = (db: Database, id: string, consumerId: string): Promise<Shown> =>
  shown(
    new PortalDeliveriesService(
      new OwnDeliveriesRepository(ownReading, db),
      new DeliveriesRepository(reader.reading, db),
      new EventsRepository(reader.reading, db),
    ).read(consumerId, id),
  );

it.each([
  { reads: 'an operator', read: asViewer },
  { reads: 'the portal', read: asItsConsumer },
])(
  'a delivery that $reads reads while its second attempt is recorded is shown from before or from after it',
  async ({ read }) => {
    const seen = new Set<string>();
    await everySchedule(async (schedule) => {
      const consumerId = await bareConsumer(pipeline.db);
      const event = statusFor(consumerId);
      const id = deliveryOf(event);
      await acceptStatuses(pipeline, event);
      const session = await TestSession.open(pipeline, consumerId);
      await session.record(id, { retryInMs: 0, spendsAttempt: true });
      await session.fetch();
      const result = session.result(id, { state: 'delivered' });
      const [delivery] = await schedule.both(
        reader.begin((db) => read(db, id, consumerId)),
        worker.begin((_db, over) => recordAttempts(over, [result])),
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

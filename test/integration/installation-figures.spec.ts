import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SystemModule } from '#apps/api/src/system/system.module';
import { ConfigModule, readConfig } from '#libs/config';
import { Metrics, createLogger, ObservabilityModule } from '#libs/observability';
import { JobQueueModule } from '#libs/queue';
import { Module, type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { sql } from 'kysely';
import { insertConsumer } from '#test/support/consumer-row';
import { waitUntil } from '#test/support/wait-until';
import { fileDatabase } from '#test/support/file-database';

const CONSUMERS = 25;

const { url, db } = await fileDatabase();
let api: INestApplicationContext;
beforeAll(async () => {
  const circuitOpenedAt = new Date();
  for (let index = 0; index < CONSUMERS; index += 1)
    await insertConsumer(db, { name: `Company ${String(index)}`, circuitOpenedAt });
  const config = readConfig('api', {
    DATABASE_URL: url,
    REDIS_URL: process.env['TEST_REDIS_URL'],
    SECRETS_KEYRING: `test:${randomBytes(32).toString('base64')}`,
    ADMIN_API_KEY: randomBytes(24).toString('hex'),
  });
  const logger = createLogger({ level: 'silent', process: 'test' });

  @Module({
    imports: [
      ConfigModule.forRoot(config),
      ObservabilityModule.forRoot(logger),
      JobQueueModule.forRoot(),
      SystemModule,
    ],
  })
  class Process {}

  api = await NestFactory.createApplicationContext(Process, { logger: false });
});
afterAll(async () => {
  await api.close();
});

const metricLines = async (): Promise<string[]> =>
  (await api.get(Metrics, { strict: false }).text()).split('\n').filter((line) => !line.startsWith('#'));
const seriesOf = (lines: readonly string[], metric: string): string[] =>
  lines.filter((line) => line.startsWith(`${metric}{`) || line.startsWith(`${metric} `));

it('the metrics count every consumer that needs attention, and give 20 of them series of their own', async () => {
  const lines = await metricLines();
  expect(seriesOf(lines, 'dispatcher_unhealthy_consumer_pending_deliveries')).toHaveLength(20);
  expect(seriesOf(lines, 'dispatcher_unhealthy_consumer_oldest_due_age_seconds')).toHaveLength(20);
  expect(lines).toContain(`dispatcher_consumers{health="down"} ${CONSUMERS}`);
  expect(lines).toContain(`dispatcher_circuits{state="open"} ${CONSUMERS}`);
  expect(lines).toContain('dispatcher_dead_deliveries_not_settled 0');
  expect(lines).toContain('dispatcher_workers_alive 0');
});

it('the metrics have no series for a figure that cannot be read, not even with its last value', async () => {
  await sql`alter view pending_delivery_states rename to elsewhere`.execute(db);
  // The metrics may show the last reading for a moment longer.
  const lines = await waitUntil(
    async () => {
      const seen = await metricLines();
      return seriesOf(seen, 'dispatcher_workers_alive').length === 0 && seen;
    },
    { what: 'the last reading to disappear from the metrics', everyMs: 200 },
  );
  for (const metric of [
    'dispatcher_circuits',
    'dispatcher_pending_deliveries',
    'dispatcher_unhealthy_consumer_pending_deliveries',
  ]) {
    expect(seriesOf(lines, metric)).toEqual([]);
  }
  expect(lines).toContain('dispatcher_part_up{part="postgres"} 1');
  await sql`alter view elsewhere rename to pending_delivery_states`.execute(db);
});

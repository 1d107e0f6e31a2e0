import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ChaosConsumer, healthy, type Behaviour } from '#test/chaos/consumers';
import { readHistory, RECORD_SESSIONS } from '#test/chaos/history';
import { deliveryKey, ObservationLog } from '#test/chaos/observations';
import { Producers } from '#test/chaos/producers';
import { judge } from '#test/chaos/verdict';
import { ApiClient } from '#test/support/api-client';
import { waitUntil } from '#test/support/wait-until';
import { accessFaults, makeAccess } from '#test/upgrade/access';
import { Figures } from '#test/upgrade/figures';
import { Installation } from '#test/upgrade/installation';
import { buildReleased } from '#test/upgrade/released-build';

/**
 * Upgrades an installation of the last release to this version under load, goes back and forward again, and ends with status 1 if
 * anything was lost, out of order, foreign or refused. `--short` is for CI: fewer events, not forward again, and no limit of p99.
 */
const PROJECT = join(import.meta.dirname, '../..');
const { short: isShort } = parseArgs({ options: { short: { type: 'boolean', default: false } } }).values;
const { rate, stayMs } = isShort ? { rate: 15, stayMs: 3_000 } : { rate: 100, stayMs: 20_000 };
const LONGEST_P99_MS = 500;
const STEADY = 6;
/** Consumers that fail until the workers are replaced. */
const FAILING = 2;

const { version: present }: { version: string } = JSON.parse(
  readFileSync(join(PROJECT, 'package.json'), 'utf8'),
);
const startedAtMs = performance.now();
const log = (line: string): void =>
  void process.stdout.write(
    `${((performance.now() - startedAtMs) / 1_000).toFixed(1).padStart(6)} s  ${line}\n`,
  );

log('building the last release');
const released = await buildReleased();
const BEFORE = { name: released.version, apps: released.apps };
const NEW = { name: `${present} (new)`, apps: join(PROJECT, 'dist/apps') };

const figures = new Figures(log);
const observations = new ObservationLog();
const consumers: ChaosConsumer[] = [];
const noticed: string[] = [];
const installation = await Installation.open();
const [api = ''] = installation.apis;
const { adminKey } = installation;

/** Registers a consumer, whose secret the present version seals. */
async function register(name: string, behaviour: Behaviour, isSteady: boolean): Promise<ChaosConsumer> {
  const client = new ApiClient(api, adminKey);
  const retrySchedule = Array.from({ length: 50 }, () => 2);
  const plan = { name, companies: [name], behaviour, isSteady, timeoutMs: 5_000, retrySchedule };
  const consumer = await ChaosConsumer.register(client, plan, observations);
  consumers.push(consumer);
  return consumer;
}

function produce(prefix: string, to: readonly ChaosConsumer[], changesPerSecond: number): Producers {
  const consumerOf = new Map(to.map(({ plan, consumerId }) => [plan.name, consumerId]));
  const { apis } = installation;
  const count = Math.ceil(changesPerSecond / 5);
  return new Producers({
    apis,
    adminKey,
    seed: 7,
    count,
    changesPerSecond,
    consumerOf,
    prefix,
    observer: figures,
  });
}

async function replace(app: 'api' | 'worker', by: typeof NEW): Promise<void> {
  figures.begin(`${app}s one by one to ${by.name}`);
  await installation.replace(app, by.apps);
}

async function stay(name: string): Promise<void> {
  figures.begin(name);
  await pause(stayMs);
}

try {
  log(await installation.migrate(BEFORE.apps));
  await installation.query(RECORD_SESSIONS);
  const refusing = await installation.startAndEnd('worker', NEW.apps);
  if (refusing.code !== 1 || !refusing.output.includes('Run `npm run migrate` of this version first'))
    noticed.push(`a new worker on the schema of ${BEFORE.name} ended with ${JSON.stringify(refusing)}`);
  await Promise.all([installation.replace('worker', BEFORE.apps), installation.replace('api', BEFORE.apps)]);
  for (let number = 0; number < STEADY; number += 1)
    await register(`steady ${String(number)}`, healthy, true);
  const failing: ChaosConsumer[] = [];
  for (let number = 0; number < FAILING; number += 1)
    failing.push(await register(`failing ${String(number)}`, () => ({ status: 503, delayMs: 0 }), false));
  const oldAccess = await makeAccess(api, adminKey, BEFORE.name);

  const load = [produce('A', consumers, rate * 0.9)];
  await stay(`all of ${BEFORE.name}`);
  const pending = await installation.countPending();
  const queueKeys = await installation.countQueueKeys();
  log(`${String(pending)} deliveries and ${String(queueKeys)} keys of the queue wait for the new version`);
  if (pending === 0 || queueKeys === 0) noticed.push('nothing waited for the new version');
  figures.begin('migration');
  log(await installation.migrate(NEW.apps));
  await replace('worker', NEW);
  for (const consumer of failing) consumer.behave(healthy);
  await replace('api', NEW);
  noticed.push(...(await accessFaults(installation.apis, oldAccess)));
  const newAccess = await makeAccess(api, adminKey, NEW.name);
  load.push(produce('B', [await register('made by new', healthy, true)], rate * 0.1));
  await stay(`all of ${NEW.name}`);
  await replace('worker', BEFORE);
  await replace('api', BEFORE);
  noticed.push(...(await accessFaults(installation.apis, newAccess)));
  await stay(`all of ${BEFORE.name}, with the new schema`);
  if (!isShort) {
    await replace('worker', NEW);
    await replace('api', NEW);
    await stay(`all of ${NEW.name} again`);
  }

  await Promise.all(load.map((producers) => producers.finish()));
  const accepted = load.flatMap((producers) => producers.accepted);
  const table = figures.table();
  log(`${String(accepted.length)} events were accepted; waiting for their deliveries`);
  const missing = (): number =>
    accepted
      .flatMap((event) => event.consumers.map((consumer) => deliveryKey(event.notificationId, consumer)))
      .filter((key) => !observations.acknowledged.has(key)).length;
  await waitUntil(async () => missing() === 0 && (await installation.countPending()) === 0, {
    what: () => `${String(missing())} deliveries`,
  }).catch((error: unknown) => noticed.push(String(error)));

  const { violations, duplicates, expectedDeliveries } = judge({
    accepted,
    arrivals: observations.arrivals.toSorted((a, b) => a.beganSequence - b.beganSequence),
    bodies: observations.bodies,
    history: await readHistory(installation),
    faults: [],
    steady: new Set(consumers.filter(({ plan }) => plan.isSteady).map(({ consumerId }) => consumerId)),
    takeovers: [],
    limits: null,
    noticed: [...noticed, ...load.flatMap(({ faults }) => faults), ...installation.unexpectedExits],
  });
  for (const [kind, found] of Object.entries(violations))
    for (const one of found.slice(0, 10)) log(`${kind}: ${one}`);
  process.stdout.write(`\n${table}\n`);
  const { lost, outOfOrder, foreign } = violations;
  const isFast = isShort || figures.p99Ms < LONGEST_P99_MS;
  const others = Object.values(violations).flat().length - lost.length - outOfOrder.length - foreign.length;
  process.stdout.write(
    `\nupgrade: ${lost.length} lost, ${outOfOrder.length} out of order, ${foreign.length} foreign, ${others} other faults, ` +
      `${figures.refused} refused, ${duplicates.total} duplicates of ${expectedDeliveries}; ` +
      `p99 of accept at most ${figures.p99Ms.toFixed(0)} ms${isFast ? '' : `, over ${LONGEST_P99_MS} ms`}\n`,
  );
  const isGood = isFast && figures.refused === 0 && Object.values(violations).flat().length === 0;
  process.exitCode = isGood ? 0 : 1;
} finally {
  await installation.close();
  await Promise.all(consumers.map((consumer) => consumer.close()));
}

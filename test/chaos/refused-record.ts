import { setTimeout as pause } from 'node:timers/promises';
import { healthy } from '#test/chaos/behaviours';
import { PENDING_TABLE, type ChaosEnvironment } from '#test/chaos/chaos-environment';
import { deliveryKey, type Arrival } from '#test/chaos/observations';
import { promptConsumers } from '#test/chaos/prompt-consumers';
import type { Scenario, ScenarioContext } from '#test/chaos/scenario';
import { lockTable } from '#test/chaos/table-lock';
import { waitUntil } from '#test/support/wait-until';

/** As a check constraint refuses a row: for good, and not because of an answer's content. */
const REFUSE_ATTEMPTS = `
  create table chaos.refused (delivery_id uuid primary key);
  create function chaos.refuse_attempt() returns trigger language plpgsql as $$
  begin
    if exists (select from chaos.refused where delivery_id = new.delivery_id) then
      raise exception 'this attempt is refused' using errcode = 'check_violation';
    end if;
    return new;
  end $$;
  create trigger chaos_refuse_attempt before insert on attempts
    for each row execute function chaos.refuse_attempt()`;

/** POSTs that are answered at the same moment, and so recorded in few batches; each consumer gets 4 until it answers. */
const OPEN_POSTS = 12;
const LOCKED_FOR_MS = 1_000;
/** Longer than the 5 s after which a delivery that could not be recorded used to be sent again. */
const REFUSED_FOR_MS = 12_000;

/**
 * PostgreSQL refuses the record of one delivery, whose POST is answered together with some others. The others are recorded
 * at once, without being held, and each delivery is sent once, that one included.
 */
export const refusedRecord = (): Scenario => ({
  consumers: promptConsumers(3).map((plan) => ({ ...plan, timeoutMs: 30_000 })),
  idleLimitMs: 60_000,
  run,
});

async function run(context: ScenarioContext): ReturnType<Scenario['run']> {
  const { environment, consumers, observationLog, produce } = context;
  await environment.query(REFUSE_ATTEMPTS);
  const answer = Promise.withResolvers<void>();
  for (const consumer of consumers)
    consumer.behave(() => ({ status: 200, delayMs: 0, when: answer.promise }));
  const producers = produce({ producers: 12, changesPerSecond: 120 });
  await waitUntil(() => observationLog.open >= OPEN_POSTS, { what: `${OPEN_POSTS} POSTs to be open` });
  await producers.finish();
  const refused = observationLog.arrivals[OPEN_POSTS / 2];
  if (refused === undefined) throw new Error('a POST has arrived');
  const beganAtMs = Date.now();
  await environment.query(
    `insert into chaos.refused select id from ${PENDING_TABLE} where event_id = $1 and consumer_id = $2`,
    [refused.notificationId, refused.consumer],
  );
  consumers.forEach((consumer) => consumer.behave(healthy));
  // No record is committed until all answers are there: those after the first are recorded together.
  const locked = lockTable(environment, 'attempts', LOCKED_FOR_MS);
  await waitUntil(() => isLocked(environment), { what: 'the attempts to be locked', everyMs: 10 });
  answer.resolve();
  await locked;
  await pause(REFUSED_FOR_MS);
  const faults = [
    ...sentAgain(observationLog.arrivals, refused),
    ...(await notRecorded(environment, refused)),
    ...(await heldBeside(environment, beganAtMs)),
  ];
  await environment.query('delete from chaos.refused');
  // The payment's later statuses rightly wait until now.
  context.faults.done.push({
    label: 'record refused',
    worker: undefined,
    beganAtMs,
    endedAtMs: Date.now(),
    inFlight: OPEN_POSTS,
  });
  return {
    accepted: producers.accepted,
    unanswered: producers.unanswered,
    faults: [...producers.faults, ...faults],
  };
}

const isLocked = async (environment: ChaosEnvironment): Promise<boolean> =>
  (
    await environment.query(
      `select from pg_locks where relation = 'attempts'::regclass and mode = 'AccessExclusiveLock' and granted`,
    )
  ).length > 0;

function sentAgain(arrivals: readonly Arrival[], refused: Arrival): string[] {
  const of = (arrival: Arrival): string => deliveryKey(arrival.notificationId, arrival.consumer);
  return [...Map.groupBy(arrivals, of)].flatMap(([key, posts]) =>
    posts.length === 1
      ? []
      : [
          `${key === of(refused) ? 'the delivery whose record is refused' : key} was sent ${posts.length} times`,
        ],
  );
}

/** Deliveries that were held, and not refused: the record of each other one succeeds when its batch is halved. */
async function heldBeside(environment: ChaosEnvironment, sinceMs: number): Promise<string[]> {
  const rows = await environment.query(
    `select distinct delivery_id from chaos.holds
     where held_at >= to_timestamp($1::float8 / 1000) and delivery_id not in (select delivery_id from chaos.refused)`,
    [sinceMs],
  );
  return rows.length === 0 ? [] : [`${rows.length} deliveries were held because another one is refused`];
}

/** Deliveries that are still pending, except those that rightly wait: the refused one and its payment's later statuses. */
async function notRecorded(environment: ChaosEnvironment, refused: Arrival): Promise<string[]> {
  const rows = await environment.query<{ id: string }>(
    `select other.id from ${PENDING_TABLE} other, ${PENDING_TABLE} held
     where held.event_id = $1 and held.consumer_id = $2
       and (other.consumer_id, other.event_type, other.payment_id)
           is distinct from (held.consumer_id, held.event_type, held.payment_id)`,
    [refused.notificationId, refused.consumer],
  );
  return rows.length === 0
    ? []
    : [`${rows.length} deliveries were not recorded in ${REFUSED_FOR_MS / 1_000} s while one was refused`];
}

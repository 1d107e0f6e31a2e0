import type { Limits } from '#test/bench/pipeline/measures-limits';
import type { Consumers, Rig } from '#test/bench/pipeline/rig';

const EVENTS_IN_BATCH = 100;

/** Taking in alone: no worker runs, so all of it stays a backlog. */
export async function measureAccept(
  rig: Rig,
  { companies }: Consumers,
  limits: Limits,
  seconds: number,
): Promise<void> {
  const { figures } = rig;
  await rig.post({ companies, seconds: 2 });
  const single = await rig.post({ companies, seconds });
  figures.add(
    'accept.single',
    single.events / single.seconds,
    '1/s',
    'events accepted one a request, 200 connections, beside the empty route',
    { limit: limits.route },
  );
  figures.add('accept.single.p50', single.answered.p50, 'ms', 'until the 202');
  figures.add('accept.single.p99', single.answered.p99, 'ms', 'until the 202');
  const batch = await rig.post({
    companies,
    seconds,
    eventsPerRequest: EVENTS_IN_BATCH,
    connections: 4,
  });
  figures.add(
    'accept.batch',
    batch.events / batch.seconds,
    '1/s',
    `events accepted ${String(EVENTS_IN_BATCH)} a request, four connections, beside the bare insert`,
    { limit: limits.inserts },
  );
  figures.add('accept.batch.p50', batch.answered.p50, 'ms', `until the 202 of ${String(EVENTS_IN_BATCH)}`);
  figures.add('accept.batch.p99', batch.answered.p99, 'ms', `until the 202 of ${String(EVENTS_IN_BATCH)}`);
}

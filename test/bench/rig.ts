import { setTimeout as pause } from 'node:timers/promises';
import { Child } from '#test/bench/child';
import type { ConsumersProcess } from '#test/bench/consumers';
import { latencies, nowMs, type Latencies } from '#test/bench/numbers';
import type { Load, Posted, ProducersProcess, Target } from '#test/bench/producers';
import { cpuSecondsBy, type ProcessGroups } from '#test/bench/usage';

const CONNECTIONS = 200;
/** In a sustained load: events accepted and not yet acknowledged, at most. Less than one consumer's window. */
const UNDELIVERED = 800;
/** Time from the last acknowledgement until it is in the list of arrivals. */
const SETTLED_MS = 100;
/** A steady load continues after the measurement, so that its last second is under load as well. */
const AFTER_S = 1;

/** Registered consumers; each has its own company. */
export interface Consumers {
  readonly ids: readonly string[];
  readonly companies: readonly string[];
  readonly ports: readonly number[];
}

/** How producers post in `sustained`. */
export interface Pace {
  /** 1 by default. */
  readonly eventsPerRequest?: number;
  /** 200 by default, 8 for requests of several events. */
  readonly connections?: number;
  /** Events accepted and not yet acknowledged, at most; 800 by default. */
  readonly undelivered?: number;
  readonly warmUpS?: number;
  /** Whether each event's time from posting to arrival is measured. */
  readonly withTail?: boolean;
}

/** What a load has used; the benchmark's own processes are in `cpu` only. */
export interface Usage {
  /** Notifications acknowledged meanwhile. */
  readonly events: number;
  readonly seconds: number;
  /** Microseconds of processor time an event, by process group. */
  readonly cpu: Readonly<Record<string, number>>;
  /** Milliseconds of processor time an event of the measured system, by process group. */
  readonly parts: Readonly<Record<string, number>>;
  /** The sum of `parts`. */
  readonly productMs: number;
}

export interface Sustained extends Usage {
  /** Acknowledged notifications a second, without the warm-up. */
  readonly perSecond: number;
  /** Of the events posted in that time; null without `withTail`. */
  readonly arrival: Latencies | null;
}

/** A system under test with its producers and consumers, each in its own process. */
export abstract class Rig {
  readonly consumers = Child.start<ConsumersProcess>('consumers.ts');
  readonly producers = Child.start<ProducersProcess>('producers.ts');
  private serial = 0;

  /** Where producers post. */
  abstract get target(): Target;
  /** The processes of the measured system. */
  abstract get processes(): ProcessGroups;
  /** Waits until these consumers have received everything. */
  abstract delivered(consumers: Consumers): Promise<void>;
  abstract close(): Promise<void>;

  post(load: Partial<Load> & Pick<Load, 'companies'>): Promise<Posted> {
    this.serial += 1;
    const run = `R${String(this.serial)}`;
    return this.producers.call('post', {
      ...this.target,
      run,
      connections: CONNECTIONS,
      eventsPerRequest: 1,
      ...load,
    });
  }

  /** Producers post as fast as the consumers acknowledge; then waits until these consumers have received everything. */
  async sustained(consumers: Consumers, seconds: number, pace: Pace = {}): Promise<Sustained> {
    const { eventsPerRequest = 1, undelivered = UNDELIVERED, withTail = false } = pace;
    const { connections = eventsPerRequest === 1 ? CONNECTIONS : 8 } = pace;
    const { warmUpS = Math.min(3, seconds / 3) } = pace;
    if (withTail) await this.consumers.call('recordArrivals', null);
    const posting = this.post({
      companies: consumers.companies,
      seconds: seconds + warmUpS,
      eventsPerRequest,
      connections,
      recordPosts: withTail,
      window: { consumersUrl: `http://127.0.0.1:${String(consumers.ports[0])}/`, events: undelivered },
    });
    const measuring = async (): Promise<{ used: Usage; fromMs: number; toMs: number }> => {
      await pause(warmUpS * 1_000);
      const fromMs = nowMs();
      const used = await this.usageOf(() => pause(seconds * 1_000));
      return { used, fromMs, toMs: nowMs() };
    };
    const [{ used, fromMs, toMs }, posted] = await Promise.all([measuring(), posting]);
    const measured = posted.filter(([, atMs]) => atMs >= fromMs && atMs < toMs);
    const arrival = withTail ? await this.untilArrival(consumers, measured) : null;
    await this.delivered(consumers);
    return { ...used, perSecond: used.events / used.seconds, arrival };
  }

  /**
   * Posts at a steady rate, independent of the answers, and measures after the warm-up.
   * @param measure calls its argument once, which lasts `seconds`
   */
  async steadily<M>(
    consumers: Consumers,
    { perSecond, seconds, warmUpS }: { perSecond: number; seconds: number; warmUpS: number },
    measure: (during: () => Promise<void>) => Promise<M>,
  ): Promise<{ measured: M; arrival: Latencies }> {
    await this.consumers.call('recordArrivals', null);
    let [fromMs, toMs] = [0, 0];
    const measuring = async (): Promise<M> => {
      await pause(warmUpS * 1_000);
      return measure(async () => {
        fromMs = nowMs();
        await pause(seconds * 1_000);
        toMs = nowMs();
      });
    };
    const events = perSecond * (warmUpS + seconds + AFTER_S);
    const [measured, posted] = await Promise.all([
      measuring(),
      this.post({ companies: consumers.companies, perSecond, events, recordPosts: true }),
    ]);
    const within = posted.filter(([, atMs]) => atMs >= fromMs && atMs < toMs);
    return { measured, arrival: await this.untilArrival(consumers, within) };
  }

  /** Posts at a steady rate. @returns the time from posting each event to its first arrival */
  async arrivalsAt(consumers: Consumers, perSecond: number, seconds: number): Promise<Latencies> {
    await this.consumers.call('recordArrivals', null);
    const { companies } = consumers;
    const posted = await this.post({ companies, perSecond, seconds, recordPosts: true });
    return this.untilArrival(consumers, posted);
  }

  /**
   * Waits until these consumers have received everything.
   * @param posted events posted since `recordArrivals`
   * @returns the time from posting each of these events to its first arrival
   * @throws when one has not arrived
   */
  async untilArrival(consumers: Consumers, posted: Posted): Promise<Latencies> {
    await this.delivered(consumers);
    await pause(SETTLED_MS);
    const arrivedAt = new Map<string, number>();
    for (const [id, atMs] of await this.consumers.call('takeArrivals', null))
      if (!arrivedAt.has(id)) arrivedAt.set(id, atMs);
    return latencies(
      posted.map(([id, atMs]) => {
        const arrived = arrivedAt.get(id);
        if (arrived === undefined) throw new Error(`${id} was accepted and has not arrived`);
        return arrived - atMs;
      }),
    );
  }

  /** Runs `load` and measures its processor time. */
  async usageOf(load: () => Promise<unknown>): Promise<Usage> {
    const groups = { ...this.processes, consumers: [this.consumers.pid], producers: [this.producers.pid] };
    const [before, from] = [await cpuSecondsBy(groups), await this.consumers.call('count', null)];
    await load();
    const [after, to] = [await cpuSecondsBy(groups), await this.consumers.call('count', null)];
    const events = to.acknowledged - from.acknowledged;
    const cpu = Object.fromEntries(
      Object.entries(after).map(([name, used]) => [name, ((used - (before[name] ?? 0)) * 1e6) / events]),
    );
    const parts = Object.fromEntries(
      Object.keys(this.processes).map((name) => [name, (cpu[name] ?? 0) / 1_000]),
    );
    const productMs = Object.values(parts).reduce((sum, ms) => sum + ms, 0);
    return { events, seconds: (to.atMs - from.atMs) / 1_000, cpu, parts, productMs };
  }

  protected stopChildren(): void {
    for (const child of [this.consumers, this.producers]) child.stop();
  }
}

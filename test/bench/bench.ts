import { setTimeout as pause } from 'node:timers/promises';
import type { BarePosts } from '#test/bench/bare-posts';
import { Child } from '#test/bench/child';
import type { Behaviour, ConsumersProcess } from '#test/bench/consumers';
import { BenchEnvironment, type BenchEnvironmentOptions } from '#test/bench/environment';
import type { Figures } from '#test/bench/figures';
import { latencies, type Latencies } from '#test/bench/numbers';
import type { Load, Posted, ProducersProcess } from '#test/bench/producers';
import { freePort } from '#test/support/free-port';

const CONNECTIONS = 200;
/** In a sustained load: events accepted and not yet acknowledged, at most. Less than one consumer's window. */
const UNDELIVERED = 800;
/** Time from the last acknowledgement until it is in the list of arrivals. */
const SETTLED_MS = 100;

/** Registered consumers; each has its own company and port. */
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
}

/** An installation, its producers and its consumers, each in its own process. */
export class Bench {
  static async open(figures: Figures, options: BenchEnvironmentOptions): Promise<Bench> {
    return new Bench(figures, await BenchEnvironment.open(options));
  }

  readonly consumers = Child.start<ConsumersProcess>('consumers.ts');
  readonly producers = Child.start<ProducersProcess>('producers.ts');
  readonly bare = Child.start<BarePosts>('bare-posts.ts');
  private serial = 0;

  private constructor(
    readonly figures: Figures,
    readonly environment: BenchEnvironment,
  ) {}

  async close(): Promise<void> {
    for (const child of [this.consumers, this.producers, this.bare]) child.stop();
    await this.environment.close();
  }

  /** Starts and registers consumers. Broken ones have the default limits, others are not limited. */
  async startConsumers(count: number, behaviour: Behaviour = {}): Promise<Consumers> {
    const ports = await this.consumers.call('start', { count, behaviour });
    return this.register(ports, behaviour.answer === undefined ? { maxConcurrency: 1_000 } : {});
  }

  /** Registers a consumer whose port refuses connections. */
  async unreachableConsumer(): Promise<Consumers> {
    return this.register([await freePort()], {});
  }

  /** Removes consumers, which cancels their pending deliveries. */
  async remove({ ids }: Consumers): Promise<void> {
    for (const id of ids) await this.environment.client.call('DELETE', `/v1/consumers/${id}`);
  }

  post(load: Partial<Load> & Pick<Load, 'companies'>): Promise<Posted> {
    this.serial += 1;
    return this.producers.call('post', {
      baseUrl: this.environment.baseUrl,
      key: this.environment.adminKey,
      run: `R${String(this.serial)}`,
      connections: CONNECTIONS,
      eventsPerRequest: 1,
      ...load,
    });
  }

  /** Posts a backlog as fast as possible and does not wait for its delivery. */
  async postBacklog({ companies }: Consumers, events: number): Promise<void> {
    await this.post({ companies, events, eventsPerRequest: 100, connections: 4 });
  }

  /**
   * Producers post as fast as the consumers acknowledge; then waits until these consumers have received everything.
   * @returns acknowledged notifications a second, without the warm-up
   */
  async sustained(consumers: Consumers, seconds: number, pace: Pace = {}): Promise<number> {
    const { eventsPerRequest = 1, undelivered = UNDELIVERED, warmUpS = Math.min(3, seconds / 3) } = pace;
    const { connections = eventsPerRequest === 1 ? CONNECTIONS : 8 } = pace;
    const posting = this.post({
      companies: consumers.companies,
      seconds: seconds + warmUpS,
      eventsPerRequest,
      connections,
      window: { consumersUrl: `http://127.0.0.1:${String(consumers.ports[0])}/`, events: undelivered },
    });
    await pause(warmUpS * 1_000);
    const from = await this.consumers.call('count', null);
    await pause(seconds * 1_000);
    const to = await this.consumers.call('count', null);
    await posting;
    await this.delivered(consumers);
    return ((to.acknowledged - from.acknowledged) * 1_000) / (to.atMs - from.atMs);
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

  /** Waits until these consumers have no pending delivery. @throws after ten minutes */
  async delivered({ ids }: Consumers): Promise<void> {
    const until = Date.now() + 600_000;
    while (Date.now() < until) {
      const { rowCount } = await this.environment.sql.query(
        'select from pending_deliveries where consumer_id = any ($1::uuid[]) limit 1',
        [ids],
      );
      if (rowCount === 0) return;
      await pause(50);
    }
    throw new Error('deliveries are still pending after ten minutes');
  }

  private async register(
    ports: readonly number[],
    settings: Readonly<Record<string, unknown>>,
  ): Promise<Consumers> {
    this.serial += 1;
    const companies = ports.map((_, index) => `C${String(this.serial)}-${String(index)}`);
    return { ids: await this.environment.register(companies, ports, settings), companies, ports };
  }
}

export const urlsOf = ({ ports }: Consumers): string[] =>
  ports.map((port) => `http://127.0.0.1:${String(port)}/hooks/payments`);

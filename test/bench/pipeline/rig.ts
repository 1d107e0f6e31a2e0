import { setTimeout as pause } from 'node:timers/promises';
import { pendingTable } from '#test/bench/pending-table';
import type { BarePosts } from '#test/bench/pipeline/bare-posts';
import { Child } from '#test/bench/pipeline/child';
import type { Figures } from '#test/bench/pipeline/figures';
import type { Load, Loaded, Poster } from '#test/bench/pipeline/poster';
import type { Behaviour, Sink } from '#test/bench/pipeline/sink';
import { BenchEnvironment, type Backend, type BenchEnvironmentOptions } from '#test/bench/bench-environment';
import { freePort } from '#test/support/free-port';

const OPEN_AT_ONCE = 200;
/** How far the producers may be ahead of the consumers in a sustained load: less than one consumer's window. */
const AHEAD = 800;

/** The benchmark's own processes beside the product: producers, consumers, and the bare sender. */
export class Rig {
  static async open(
    figures: Figures,
    backend: Backend,
    options: Omit<BenchEnvironmentOptions, 'backend'> = {},
  ): Promise<Rig> {
    return new Rig(figures, await BenchEnvironment.open({ backend, ...options }));
  }

  readonly sink = Child.start<Sink>('sink.ts');
  readonly poster = Child.start<Poster>('poster.ts');
  readonly barePosts = Child.start<BarePosts>('bare-posts.ts');
  private runs = 0;
  private pendingTable: string | undefined;

  private constructor(
    readonly figures: Figures,
    readonly stand: BenchEnvironment,
  ) {}

  /** Consumers, each on a port of its own, registered for companies of their own. */
  async consumers(count: number, behaviour: Behaviour = {}, settings: object = {}): Promise<Consumers> {
    const ports = await this.sink.ask('listen', { count, behaviour });
    this.runs += 1;
    const companies = ports.map((_, index) => `C${String(this.runs)}-${String(index)}`);
    const ids = await this.stand.register(companies, ports, { maxConcurrency: 1_000, ...settings });
    return { ids, companies, ports };
  }

  /** A consumer at whose port nobody listens. */
  async deadConsumer(settings: Readonly<Record<string, unknown>> = {}): Promise<Consumers> {
    this.runs += 1;
    const [companies, ports] = [[`C${String(this.runs)}-dead`], [await freePort()]];
    return { ids: await this.stand.register(companies, ports, settings), companies, ports };
  }

  post(load: Partial<Load> & Pick<Load, 'companies'>): Promise<Loaded> {
    this.runs += 1;
    const eventsPerRequest = load.eventsPerRequest ?? 1;
    return this.poster.ask('post', {
      baseUrl: this.stand.baseUrl,
      path: eventsPerRequest === 1 ? '/v1/events' : '/v1/events/batch',
      key: this.stand.adminKey,
      run: `R${String(this.runs)}`,
      connections: OPEN_AT_ONCE,
      eventsPerRequest,
      ...load,
    });
  }

  /** As `flow`, and waits until nothing is pending. @returns acknowledged a second */
  async sustained(consumers: Consumers, seconds: number, pace: Pace = {}): Promise<number> {
    const { acknowledged } = await this.flow(consumers, seconds, pace);
    await this.drained();
    return acknowledged;
  }

  /**
   * Producers post as fast as the consumers acknowledge, for so long.
   * @returns acknowledged, and attempted, a second; the warm-up apart
   */
  async flow(
    { companies, ports }: Consumers,
    seconds: number,
    {
      eventsPerRequest = 1,
      connections = eventsPerRequest === 1 ? OPEN_AT_ONCE : 8,
      ahead = AHEAD,
      warmUpS = Math.min(3, seconds / 3),
    }: Pace = {},
  ): Promise<{ acknowledged: number; attempted: number }> {
    const sinkUrl = `http://127.0.0.1:${String(ports[0])}/`;
    const posting = this.post({
      companies,
      seconds: seconds + warmUpS,
      eventsPerRequest,
      connections,
      window: { sinkUrl, events: ahead },
    });
    await pause(warmUpS * 1_000);
    const from = await this.sink.ask('count', null);
    await pause(seconds * 1_000);
    const to = await this.sink.ask('count', null);
    await posting;
    const tookS = (to.atMs - from.atMs) / 1_000;
    return {
      acknowledged: (to.acknowledged - from.acknowledged) / tookS,
      attempted: (to.requests - from.requests) / tookS,
    };
  }

  /** Of these consumers, or of all. */
  async pendingDeliveries(of?: Consumers): Promise<number> {
    this.pendingTable ??= await pendingTable(this.stand.sql);
    const { rows } = await this.stand.sql.query<{ n: number }>(
      `select count(*)::int as n from ${this.pendingTable} ${of === undefined ? '' : 'where consumer_id = any ($1::uuid[])'}`,
      of === undefined ? [] : [of.ids],
    );
    return rows[0]?.n ?? 0;
  }

  /** Waits until nothing is pending, of these consumers or of all. @throws after ten minutes */
  async drained(of?: Consumers): Promise<void> {
    const until = Date.now() + 600_000;
    while ((await this.pendingDeliveries(of)) > 0) {
      if (Date.now() > until) throw new Error(`still pending: ${String(await this.pendingDeliveries(of))}`);
      await pause(50);
    }
  }

  /** Removes consumers, which cancels what is pending of them. */
  async remove({ ids }: Consumers): Promise<void> {
    for (const id of ids) await this.stand.client.call('DELETE', `/v1/consumers/${id}`);
  }

  async close(): Promise<void> {
    this.sink.stop();
    this.poster.stop();
    this.barePosts.stop();
    await this.stand.close();
  }
}

/** How producers post. */
export interface Pace {
  /** One unless told. */
  readonly eventsPerRequest?: number;
  /** 200 unless told, 8 where a request has several events. */
  readonly connections?: number;
  /** How many more events may be accepted than are acknowledged; 800 unless told. */
  readonly ahead?: number;
  readonly warmUpS?: number;
}

export interface Consumers {
  readonly ids: readonly string[];
  readonly companies: readonly string[];
  readonly ports: readonly number[];
}

export const urlsOf = ({ ports }: Consumers): string[] =>
  ports.map((port) => `http://127.0.0.1:${String(port)}/hooks/payments`);

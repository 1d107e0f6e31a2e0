import { setTimeout as pause } from 'node:timers/promises';
import type { BarePosts } from '#test/bench/pipeline/bare-posts';
import { Child } from '#test/bench/pipeline/child';
import type { Figures } from '#test/bench/pipeline/figures';
import type { Load, Loaded, Poster } from '#test/bench/pipeline/poster';
import type { Behaviour, Sink } from '#test/bench/pipeline/sink';
import { Stand } from '#test/bench/stand';

const OPEN_AT_ONCE = 200;
/** How far the producers may be ahead of the consumers in a sustained load: less than one consumer's window. */
const AHEAD = 800;

/** The benchmark's own processes beside the product: producers, consumers, and the bare sender. */
export class Rig {
  static async open(figures: Figures, backend: 'redis' | 'postgres'): Promise<Rig> {
    const stand = await Stand.open({ backend });
    return new Rig(figures, stand);
  }

  readonly sink = Child.start<Sink>('sink.ts');
  readonly poster = Child.start<Poster>('poster.ts');
  readonly barePosts = Child.start<BarePosts>('bare-posts.ts');
  private runs = 0;

  private constructor(
    readonly figures: Figures,
    readonly stand: Stand,
  ) {}

  /** Consumers, each on a port of its own, registered for companies of their own. */
  async consumers(count: number, behaviour: Behaviour = {}, settings: object = {}): Promise<Consumers> {
    const ports = await this.sink.ask('listen', { count, behaviour });
    this.runs += 1;
    const companies = ports.map((_, index) => `C${String(this.runs)}-${String(index)}`);
    const ids = await this.stand.register(companies, ports, { maxConcurrency: 1_000, ...settings });
    return { ids, companies, ports };
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

  /**
   * Producers post one event a request as fast as the consumers acknowledge, for so long.
   * @returns acknowledged a second, the first two seconds apart
   */
  async sustained({ companies, ports }: Consumers, seconds: number, eventsPerRequest = 1): Promise<number> {
    const sinkUrl = `http://127.0.0.1:${String(ports[0])}/`;
    const warmUpS = Math.min(3, seconds / 3);
    const posting = this.post({
      companies,
      seconds: seconds + warmUpS,
      eventsPerRequest,
      connections: eventsPerRequest === 1 ? OPEN_AT_ONCE : 8,
      window: { sinkUrl, events: AHEAD },
    });
    await pause(warmUpS * 1_000);
    const from = await this.sink.ask('count', null);
    await pause(seconds * 1_000);
    const to = await this.sink.ask('count', null);
    await posting;
    await this.drained();
    return ((to.acknowledged - from.acknowledged) / (to.atMs - from.atMs)) * 1_000;
  }

  async openDeliveries(): Promise<number> {
    const { rows } = await this.stand.sql.query<{ n: number }>(
      'select count(*)::int as n from open_deliveries',
    );
    return rows[0]?.n ?? 0;
  }

  /** Waits until nothing is open. @throws after ten minutes */
  async drained(): Promise<void> {
    const until = Date.now() + 600_000;
    while ((await this.openDeliveries()) > 0) {
      if (Date.now() > until) throw new Error(`still open: ${String(await this.openDeliveries())}`);
      await pause(50);
    }
  }

  async close(): Promise<void> {
    this.sink.stop();
    this.poster.stop();
    this.barePosts.stop();
    await this.stand.close();
  }
}

export interface Consumers {
  readonly ids: readonly string[];
  readonly companies: readonly string[];
  readonly ports: readonly number[];
}

export const urlsOf = ({ ports }: Consumers): string[] =>
  ports.map((port) => `http://127.0.0.1:${String(port)}/hooks/payments`);

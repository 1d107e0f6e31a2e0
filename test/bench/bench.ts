import type { BarePosts } from '#test/bench/bare-posts';
import { Child } from '#test/bench/child';
import type { Behaviour } from '#test/bench/consumers';
import { BenchEnvironment, type BenchEnvironmentOptions } from '#test/bench/environment';
import type { Figures } from '#test/bench/figures';
import type { ConsumerLimits } from '#test/bench/insert-consumers';
import type { Target } from '#test/bench/producers';
import { Rig, type Consumers } from '#test/bench/rig';
import type { ProcessGroups } from '#test/bench/usage';
import { freePort } from '#test/support/free-port';
import { waitUntil } from '#test/support/wait-until';

/** An installation of the product, its producers and its consumers, each in its own process. */
export class Bench extends Rig {
  static async open(figures: Figures, options: BenchEnvironmentOptions): Promise<Bench> {
    return new Bench(figures, await BenchEnvironment.open(options));
  }

  /** A young database: its tables were analyzed while they were empty. */
  static async openYoung(figures: Figures, options: BenchEnvironmentOptions): Promise<Bench> {
    const bench = await Bench.open(figures, options);
    await bench.environment.sql.query('analyze');
    return bench;
  }

  readonly bare = Child.start<BarePosts>('bare-posts.ts');
  private kinds = 0;

  private constructor(
    readonly figures: Figures,
    readonly environment: BenchEnvironment,
  ) {
    super();
  }

  override get target(): Target {
    return { baseUrl: this.environment.baseUrl, key: this.environment.adminKey };
  }

  override get processes(): ProcessGroups {
    return this.environment.processes;
  }

  override async close(): Promise<void> {
    this.stopChildren();
    this.bare.stop();
    await this.environment.close();
  }

  /** Starts and registers consumers. Broken ones have the default limits, others are not limited. */
  async startConsumers(count: number, behaviour: Behaviour = {}): Promise<Consumers> {
    const ports = await this.consumers.call('start', { count, behaviour });
    return this.register(ports, behaviour.answer === undefined ? { maxConcurrency: 1_000 } : {});
  }

  /** Starts one port for many consumers, and inserts these into the tables. */
  async insertConsumers(
    count: number,
    behaviour: Behaviour = {},
    limits: ConsumerLimits = {},
  ): Promise<Consumers> {
    const ports = await this.consumers.call('start', { count: 1, behaviour });
    const companies = this.companies(count);
    const ids = await this.environment.insertConsumers(companies, ports[0] ?? 0, limits);
    return { ids, companies, ports };
  }

  /** Registers a consumer whose port refuses connections. */
  async unreachableConsumer(): Promise<Consumers> {
    return this.register([await freePort()], {});
  }

  /** Removes consumers, which cancels their pending deliveries. */
  async remove({ ids }: Consumers): Promise<void> {
    for (const id of ids) await this.environment.client.call('DELETE', `/v1/consumers/${id}`);
  }

  /** Posts a backlog as fast as possible and does not wait for its delivery. */
  async postBacklog({ companies }: Consumers, events: number): Promise<void> {
    await this.post({ companies, events, eventsPerRequest: 100, connections: 4 });
  }

  /** @throws after ten minutes */
  override async delivered({ ids }: Consumers): Promise<void> {
    await this.untilNone('pending_deliveries where consumer_id = any ($1::uuid[])', ids);
  }

  /** Waits until no worker serves these consumers any more. */
  async sessionsEnded({ ids }: Consumers): Promise<void> {
    await this.untilNone('consumer_runtime where consumer_id = any ($1::uuid[]) and session_open', ids);
  }

  private async untilNone(rows: string, ids: readonly string[]): Promise<void> {
    await waitUntil(
      async () => {
        const { rowCount } = await this.environment.sql.query(`select from ${rows} limit 1`, [ids]);
        return rowCount === 0;
      },
      { deadlineMs: 600_000, everyMs: 50, what: `no ${rows}` },
    );
  }

  private companies(count: number): string[] {
    this.kinds += 1;
    return Array.from({ length: count }, (_, index) => `C${String(this.kinds)}-${String(index)}`);
  }

  private async register(
    ports: readonly number[],
    settings: Readonly<Record<string, unknown>>,
  ): Promise<Consumers> {
    const companies = this.companies(ports.length);
    return { ids: await this.environment.register(companies, ports, settings), companies, ports };
  }
}

export const urlsOf = ({ ports }: Consumers): string[] =>
  ports.map((port) => `http://127.0.0.1:${String(port)}/hooks/payments`);

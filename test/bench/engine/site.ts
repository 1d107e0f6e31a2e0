import { waitUntil } from '#test/support/wait-until';
import { Producer, type Posted } from '#test/bench/engine/load';
import { pendingOf, sendingOf } from '#test/bench/engine/pending-work';
import { Receivers } from '#test/bench/engine/receivers';
import { percentile, round } from '#test/bench/engine/report';
import { BenchEnvironment, type JobsInRedis } from '#test/bench/bench-environment';

const HEALTHY = 'HEALTHY';
const HANGS_FOR_MS = 10_000;
/** Long: a healthy consumer that is starved is a result, not a fault of the measurement. */
const ARRIVES_WITHIN_MS = 240_000;

/** Milliseconds from sending a POST to the api until the notification arrives at the healthy consumer. */
export interface Latencies {
  readonly events: number;
  readonly p50: number;
  readonly p99: number;
  readonly most: number;
  /** The part until the api's 202. */
  readonly accepted_p99: number;
}

/** What a consumer that hangs holds at one moment. */
export interface Watched {
  readonly jobs: JobsInRedis;
  readonly sendingToHung: number;
  readonly pendingOfHung: number;
}

/** A whole installation with a healthy consumer, and processes of consumers that hang. */
export class Site {
  static async open(options: {
    readonly hung: number;
    readonly workers: number;
    readonly workerConcurrency: number;
  }): Promise<Site> {
    const stand = await BenchEnvironment.open({
      backend: 'redis',
      workers: options.workers,
      env: { WORKER_CONCURRENCY: String(options.workerConcurrency) },
    });
    const [healthy, hanging] = await Promise.all([
      Receivers.start('answers', 1),
      Receivers.start('hangs', options.hung),
    ]);
    const site = new Site(stand, healthy, hanging);
    await site.register(HEALTHY, healthy.urls[0] ?? '');
    return site;
  }

  readonly producer: Producer;

  private constructor(
    readonly stand: BenchEnvironment,
    private readonly healthy: Receivers,
    private readonly hanging: Receivers,
  ) {
    this.producer = new Producer(stand);
  }

  /** Registers a consumer at each port that hangs. */
  async registerHung(turn: number): Promise<{ companies: string[]; ids: string[] }> {
    const companies = this.hanging.urls.map((_, index) => `HUNG-${String(turn)}-${String(index)}`);
    const ids = await Promise.all(
      companies.map((company, index) => this.register(company, this.hanging.urls[index] ?? '')),
    );
    return { companies, ids };
  }

  /** Removes consumers, and waits until their backlog is cancelled. */
  async remove(ids: readonly string[]): Promise<void> {
    for (const id of ids)
      await this.stand.client.call('DELETE', `/v1/consumers/${id}`).catch(() => undefined);
    await waitUntil(async () => (await pendingOf(this.stand.sql, ids)) === 0, {
      deadlineMs: 120_000,
      what: 'the backlog of removed consumers to be cancelled',
      everyMs: 500,
    });
  }

  /** A steady load for the healthy consumer, and how long it took. */
  async steady(perSecond: number, seconds: number): Promise<Latencies> {
    const posted = await this.producer.postSteadily({
      company: HEALTHY,
      perSecond,
      durationMs: seconds * 1_000,
    });
    await waitUntil(() => posted.every(({ id }) => this.healthy.arrivals.has(id)), {
      deadlineMs: ARRIVES_WITHIN_MS,
      what: 'everything to arrive at the healthy consumer',
    });
    return this.latenciesOf(posted);
  }

  async watch(hung: readonly string[]): Promise<Watched> {
    const [jobs, sendingToHung, pendingOfHung] = await Promise.all([
      this.stand.jobs(),
      sendingOf(this.stand.sql, hung),
      pendingOf(this.stand.sql, hung),
    ]);
    return { jobs, sendingToHung, pendingOfHung };
  }

  async close(): Promise<void> {
    this.producer.close();
    this.healthy.stop();
    this.hanging.stop();
    await this.stand.close();
  }

  private async register(company: string, url: string): Promise<string> {
    const { id } = await this.stand.client.registerConsumer({
      name: company,
      url,
      eventTypes: ['ach.status'],
      achCompanyIds: [company],
      credentials: { username: 'bank', password: 'secret of the bank' },
      timeoutMs: HANGS_FOR_MS,
    });
    return id;
  }

  private latenciesOf(posted: readonly Posted[]): Latencies {
    const whole = posted.map(({ id, sentAt }) => (this.healthy.arrivals.get(id) ?? Number.NaN) - sentAt);
    const accepted = posted.map(({ sentAt, acceptedAt }) => acceptedAt - sentAt);
    return {
      events: posted.length,
      p50: round(percentile(whole, 0.5)),
      p99: round(percentile(whole, 0.99)),
      most: round(Math.max(...whole)),
      accepted_p99: round(percentile(accepted, 0.99)),
    };
  }
}

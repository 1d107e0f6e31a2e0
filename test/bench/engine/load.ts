import { setTimeout as pause } from 'node:timers/promises';
import type { AcceptedDto } from '#libs/contracts';
import { achChange, ACH_LIFE } from '#test/support/status-changes';
import { Agent, request } from 'node:http';
import { nowMs } from '#test/bench/pipeline/clock';
import type { BenchEnvironment } from '#test/bench/bench-environment';

const BATCH = 500;
/** The last status comes twice, with different contents. */
const LIFE = [...ACH_LIFE, 'RETURN' as const];
export const LIFE_LENGTH = LIFE.length;

/** A status change that was posted: when, and when it was answered with 202. */
export interface Posted {
  readonly id: string;
  readonly sentAt: number;
  readonly acceptedAt: number;
}

/** A producer's connections to the api; leaner than fetch, since it shares the processors with what it measures. */
export class Producer {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 256 });

  constructor(private readonly stand: BenchEnvironment) {}

  /** One event every `1 / perSecond`, whatever becomes of those before, until `durationMs` is over. */
  async postSteadily(options: {
    readonly company: string;
    readonly perSecond: number;
    readonly durationMs: number;
  }): Promise<Posted[]> {
    const { company, perSecond, durationMs } = options;
    const startedAt = nowMs();
    const posts: Promise<Posted>[] = [];
    for (let n = 0; n < (perSecond * durationMs) / 1_000; n += 1) {
      const waitMs = startedAt + (n * 1_000) / perSecond - nowMs();
      if (waitMs > 0) await pause(waitMs);
      const post = this.postOne(achChange(company, `${company}-${String(startedAt)}-${String(n)}`));
      // Heard at the end, with all of them.
      post.catch(() => undefined);
      posts.push(post);
    }
    return Promise.all(posts);
  }

  /** So many events of different payments, 500 a request, one request after the other; at most so many a second. */
  async postBacklog(companies: readonly string[], ofEach: number, perSecond = Infinity): Promise<void> {
    const startedAt = nowMs();
    const total = companies.length * ofEach;
    for (let n = 0; n < total; n += BATCH) {
      const waitMs = startedAt + (n * 1_000) / perSecond - nowMs();
      if (waitMs > 0) await pause(waitMs);
      const events = Array.from({ length: Math.min(BATCH, total - n) }, (_, index) => {
        const company = companies[(n + index) % companies.length] ?? '';
        return achChange(company, `${company}-backlog-${String(n + index)}`);
      });
      await this.post('/v1/events/batch', { events });
    }
  }

  /** So many payments with the five statuses of their life, one right after the other: 100 whole lives a request. */
  async postLives(companies: readonly string[], payments: number, run: string): Promise<void> {
    const ofRequest = BATCH / LIFE_LENGTH;
    for (let first = 0; first < payments; first += ofRequest) {
      const ofThis = Array.from(
        { length: Math.min(ofRequest, payments - first) },
        (_, index) => first + index,
      );
      const events = ofThis.flatMap((payment) =>
        LIFE.map((status, place) => {
          const company = companies[payment % companies.length] ?? '';
          const change = achChange(company, `${run}-${String(payment)}`, status);
          change.data.achEventInfo.amount = `${String(place + 1)}.00`;
          return change;
        }),
      );
      await this.post('/v1/events/batch', { events });
    }
  }

  close(): void {
    this.agent.destroy();
  }

  private async postOne(change: object): Promise<Posted> {
    const sentAt = nowMs();
    const accepted: AcceptedDto = JSON.parse(await this.post('/v1/events', change));
    return { id: accepted.notificationId, sentAt, acceptedAt: nowMs() };
  }

  /** Repeats what met a connection that the api was just closing for idleness; the content is its own key. */
  private async post(path: string, body: object): Promise<string> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.postOnce(path, body);
      } catch (error) {
        const wasReset = error instanceof Error && 'code' in error && error.code === 'ECONNRESET';
        if (!wasReset || tries === 3) throw error;
      }
    }
  }

  private postOnce(path: string, body: object): Promise<string> {
    const bytes = JSON.stringify(body);
    return new Promise((resolve, reject) => {
      const sent = request(
        `${this.stand.baseUrl}${path}`,
        {
          method: 'POST',
          agent: this.agent,
          headers: {
            authorization: `Bearer ${this.stand.adminKey}`,
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(bytes),
          },
        },
        (answer) => {
          let text = '';
          answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
          answer.on('end', () =>
            answer.statusCode === 202
              ? resolve(text)
              : reject(
                  new Error(`${path} was answered with ${String(answer.statusCode)}: ${text.slice(0, 500)}`),
                ),
          );
          answer.on('error', reject);
        },
      );
      sent.on('error', reject);
      sent.end(bytes);
    });
  }
}

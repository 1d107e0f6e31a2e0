/** The producers, in a process of their own. */
import { setTimeout as pause } from 'node:timers/promises';
import { bodyOf } from '#test/bench/pipeline/bodies';
import { serve } from '#test/bench/pipeline/child';
import { nowMs } from '#test/bench/pipeline/clock';
import { HttpLine } from '#test/bench/pipeline/http-line';
import { latencies, type Latencies } from '#test/bench/pipeline/latencies';

export interface Load {
  readonly baseUrl: string;
  readonly path: string;
  readonly key: string;
  readonly companies: readonly string[];
  /** Makes the payments of this run its own. */
  readonly run: string;
  readonly connections: number;
  /** Events a request: 1 for `/v1/events`, more for `/v1/events/batch`. */
  readonly eventsPerRequest: number;
  readonly seconds?: number;
  readonly events?: number;
  /** Stops posting while so many more are accepted than this consumer's process has acknowledged. */
  readonly window?: { readonly sinkUrl: string; readonly events: number };
  /** Events a second, whatever becomes of those before; as fast as it goes unless told. */
  readonly perSecond?: number;
  /** Whether to answer with each event's id and when it was posted. */
  readonly notes?: boolean;
}

export interface Loaded {
  readonly events: number;
  readonly seconds: number;
  /** Of a request, from its first byte until its 202. */
  readonly answered: Latencies;
  readonly posted: readonly [id: string, atMs: number][];
}

const calls = { post };
export type Poster = typeof calls;
serve(calls);

async function post(load: Load): Promise<Loaded> {
  const url = new URL(load.path, load.baseUrl);
  const head = (length: number): string =>
    `POST ${url.pathname} HTTP/1.1\r\nhost: ${url.host}\r\nauthorization: Bearer ${load.key}\r\n` +
    `content-type: application/json\r\ncontent-length: ${String(length)}\r\n\r\n`;
  const startedAt = nowMs();
  const until = load.seconds === undefined ? Infinity : startedAt + load.seconds * 1_000;
  const most = load.events ?? Infinity;
  const answered: number[] = [];
  const posted: [string, number][] = [];
  let next = 0;
  let accepted = 0;
  const backlog = load.window === undefined ? null : new Backlog(load.window.sinkUrl);
  await backlog?.begin();

  const line = async (): Promise<void> => {
    const connection = new HttpLine(url);
    while (next < most && nowMs() < until) {
      const first = next;
      next += load.eventsPerRequest;
      if (load.perSecond !== undefined) {
        const waitMs = startedAt + (first * 1_000) / load.perSecond - nowMs();
        if (waitMs > 0) await pause(waitMs);
      }
      while (load.window !== undefined && accepted - (backlog?.acknowledged ?? 0) > load.window.events) {
        if (nowMs() > until) return connection.close();
        await pause(2);
      }
      const body = bodyFrom(first, load);
      const sentAt = nowMs();
      const answer = await connection.ask(head(body.length) + body);
      if (answer.status >= 300)
        throw new Error(`answered ${String(answer.status)}: ${answer.body.slice(0, 500)}`);
      answered.push(nowMs() - sentAt);
      accepted += load.eventsPerRequest;
      if (load.notes === true)
        posted.push([/"notificationId":"([^"]+)"/.exec(answer.body)?.[1] ?? '', sentAt]);
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: load.connections }, line));
  backlog?.end();
  return { events: accepted, seconds: (nowMs() - startedAt) / 1_000, answered: latencies(answered), posted };
}

/** ASCII only, so that its length is its length in bytes. */
function bodyFrom(first: number, { eventsPerRequest, run, companies }: Load): string {
  if (eventsPerRequest === 1) return bodyOf(first, run, companies);
  const events = Array.from({ length: eventsPerRequest }, (_, index) =>
    bodyOf(first + index, run, companies),
  );
  return `{"events":[${events.join(',')}]}`;
}

/** Asks the consumers' process, again and again, how many it has acknowledged since the beginning. */
class Backlog {
  acknowledged = 0;
  private readonly line: HttpLine;
  private isOver = false;

  constructor(private readonly sinkUrl: string) {
    this.line = new HttpLine(new URL(sinkUrl));
  }

  async begin(): Promise<void> {
    const before = await this.ask();
    void (async () => {
      while (!this.isOver) {
        this.acknowledged = (await this.ask()) - before;
        await pause(10);
      }
      this.line.close();
    })();
  }

  end(): void {
    this.isOver = true;
  }

  private async ask(): Promise<number> {
    return Number(
      (await this.line.ask(`GET / HTTP/1.1\r\nhost: ${new URL(this.sinkUrl).host}\r\n\r\n`)).body,
    );
  }
}

/** The producers, in one process: many connections that post events, one request at a time each. */
import { setTimeout as pause } from 'node:timers/promises';
import { bodyOf } from '#test/bench/bodies';
import { serve } from '#test/bench/child';
import { HttpLine } from '#test/bench/http-line';
import { nowMs } from '#test/bench/numbers';

/** Where producers post, and how. */
export interface Target {
  readonly baseUrl: string;
  readonly key: string;
  /** A peer's path for one event; the product's by default. */
  readonly path?: string;
  /** What a peer wants before and after an event. */
  readonly around?: readonly [before: string, after: string];
}

export interface Load extends Target {
  readonly companies: readonly string[];
  /** Part of each payment's id, so that no two loads share a payment. */
  readonly run: string;
  readonly connections: number;
  /** 1 for `/v1/events`, more for `/v1/events/batch`. */
  readonly eventsPerRequest: number;
  readonly seconds?: number;
  readonly events?: number;
  /** The number of the first event of this run; 0 by default. */
  readonly first?: number;
  /** Pauses while more than `events` are accepted and not yet acknowledged by the consumers behind this URL. */
  readonly window?: { readonly consumersUrl: string; readonly events: number };
  /** Events a second, independent of the answers; unlimited by default. */
  readonly perSecond?: number;
  /** Whether to return each event's id, when it was posted, and when it was accepted. */
  readonly recordPosts?: boolean;
}

export type Posted = readonly (readonly [id: string, atMs: number, acceptedMs: number])[];

/** In the answer's body, or in a peer's header. */
const ID = /"notificationId":"([^"]+)"|\r\nx-webhookx-event-id: (\S+)/i;

const calls = { post };
export type ProducersProcess = typeof calls;
serve(calls);

/** @throws when a request is refused */
async function post(load: Load): Promise<Posted> {
  const { baseUrl, key, eventsPerRequest, window, perSecond = Infinity } = load;
  const url = new URL(load.path ?? (eventsPerRequest === 1 ? '/v1/events' : '/v1/events/batch'), baseUrl);
  const head =
    `POST ${url.pathname} HTTP/1.1\r\nhost: ${url.host}\r\nauthorization: Bearer ${key}\r\n` +
    'content-type: application/json\r\ncontent-length: ';
  const startedAt = nowMs();
  const until = startedAt + (load.seconds ?? Infinity) * 1_000;
  const total = load.events ?? Infinity;
  const posted: [string, number, number][] = [];
  const offset = load.first ?? 0;
  let next = 0;
  let accepted = 0;
  const progress = window === undefined ? null : await Acknowledged.watch(window.consumersUrl);
  const isWindowFull = (): boolean =>
    progress !== null && accepted - progress.count > (window?.events ?? Infinity);

  const postInTurn = async (): Promise<void> => {
    const line = new HttpLine(url);
    while (next < total && nowMs() < until) {
      const first = next;
      next += eventsPerRequest;
      const waitMs = startedAt + (first * 1_000) / perSecond - nowMs();
      if (waitMs > 0) await pause(waitMs);
      while (isWindowFull()) {
        if (nowMs() > until) return line.close();
        await pause(2);
      }
      const body = bodyFrom(first + offset, load);
      const sentAt = nowMs();
      const answer = await line.send(`${head}${String(body.length)}\r\n\r\n${body}`);
      if (answer.status >= 300) throw new Error(`status ${String(answer.status)}: ${answer.body}`);
      accepted += eventsPerRequest;
      if (load.recordPosts !== true) continue;
      const [, inBody, inHead = ''] = ID.exec(answer.head + answer.body) ?? [];
      posted.push([inBody ?? inHead, sentAt, nowMs()]);
    }
    line.close();
  };
  await Promise.all(Array.from({ length: load.connections }, postInTurn));
  progress?.stop();
  return posted;
}

/** ASCII only, so that its length in characters is its length in bytes. */
function bodyFrom(first: number, { eventsPerRequest, run, companies, around = ['', ''] }: Load): string {
  if (eventsPerRequest === 1) return around.join(bodyOf(first, run, companies));
  const events = Array.from({ length: eventsPerRequest }, (_, index) =>
    bodyOf(first + index, run, companies),
  );
  return `{"events":[${events.join(',')}]}`;
}

/** How many notifications the consumers have acknowledged since `watch`, read every 10 ms. */
class Acknowledged {
  static async watch(consumersUrl: string): Promise<Acknowledged> {
    const line = new HttpLine(new URL(consumersUrl));
    const read = async (): Promise<number> =>
      Number((await line.send(`GET / HTTP/1.1\r\nhost: ${new URL(consumersUrl).host}\r\n\r\n`)).body);
    const before = await read();
    const acknowledged = new Acknowledged();
    void (async () => {
      while (!acknowledged.isStopped) {
        acknowledged.count = (await read()) - before;
        await pause(10);
      }
      line.close();
    })();
    return acknowledged;
  }

  count = 0;
  private isStopped = false;

  stop(): void {
    this.isStopped = true;
  }
}

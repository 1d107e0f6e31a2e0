/** Sends signed POSTs without the product: the upper limit of one process with these consumers. */
import { notificationHeaders } from '#libs/signing';
import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { bodyOf } from '#test/bench/bodies';
import { serve } from '#test/bench/child';
import { latencies, nowMs, type Latencies } from '#test/bench/numbers';

const DIFFERENT_BODIES = 10_000;

export interface PostOptions {
  readonly urls: readonly string[];
  readonly seconds: number;
  /** POSTs in flight at most. */
  readonly concurrency: number;
  /** POSTs a second; unlimited by default. */
  readonly perSecond?: number;
}

async function post({ urls, seconds, concurrency, perSecond = Infinity }: PostOptions): Promise<{
  perSecond: number;
  answered: Latencies;
}> {
  const agent = new Agent({ allowH2: false, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 });
  const bodies = Array.from(
    { length: DIFFERENT_BODIES },
    (_, n) =>
      `{"notificationId":"0199a2b4-7c1d-7e55-9f3b-${String(n).padStart(12, '0')}",${bodyOf(n, 'bare', ['BARE']).slice(1)}`,
  );
  const startedAt = nowMs();
  const answered: number[] = [];
  let n = 0;
  const postInTurn = async (): Promise<void> => {
    while (nowMs() < startedAt + seconds * 1_000) {
      const body = bodies[n % DIFFERENT_BODIES] ?? '';
      const url = urls[n % urls.length] ?? '';
      const waitMs = startedAt + (n * 1_000) / perSecond - nowMs();
      n += 1;
      if (waitMs > 0) await pause(waitMs);
      const sentAt = nowMs();
      const answer = await request(url, {
        dispatcher: agent,
        method: 'POST',
        body,
        headers: notificationHeaders({
          secret: 'a signing secret of thirty-two b',
          username: 'bank',
          password: 'secret of the bank',
          url,
          body,
          atMs: Date.now(),
          unit: 'seconds',
          userAgent: 'bench',
        }),
      });
      await answer.body.dump();
      answered.push(nowMs() - sentAt);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, postInTurn));
  const tookS = (nowMs() - startedAt) / 1_000;
  await agent.close();
  return { perSecond: answered.length / tookS, answered: latencies(answered) };
}

const calls = { post };
export type BarePosts = typeof calls;
serve(calls);

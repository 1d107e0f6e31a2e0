/** The limit of sending: signed POSTs from one undici agent, and nothing else. */
import { notificationHeaders } from '#libs/signing';
import { Agent, request } from 'undici';
import { bodyOf } from '#test/bench/pipeline/bodies';
import { serve } from '#test/bench/pipeline/child';
import { nowMs } from '#test/bench/pipeline/clock';
import { latencies, type Latencies } from '#test/bench/pipeline/latencies';

const DIFFERENT_BODIES = 10_000;

export interface PostsAsked {
  readonly urls: readonly string[];
  readonly seconds: number;
  readonly concurrency: number;
  /** POSTs a second; as fast as it goes unless told. */
  readonly perSecond?: number;
}

async function run({ urls, seconds, concurrency, perSecond }: PostsAsked): Promise<{
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
  const until = startedAt + seconds * 1_000;
  const answered: number[] = [];
  let n = 0;
  const one = async (): Promise<void> => {
    const sentAt = nowMs();
    const body = bodies[n % DIFFERENT_BODIES] ?? '';
    const url = urls[n % urls.length] ?? '';
    n += 1;
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
  };
  if (perSecond === undefined) {
    const slot = async (): Promise<void> => {
      while (nowMs() < until) await one();
    };
    await Promise.all(Array.from({ length: concurrency }, slot));
  } else {
    const under: Promise<void>[] = [];
    while (nowMs() < until) {
      const dueMs = startedAt + (n * 1_000) / perSecond - nowMs();
      if (dueMs > 0) await new Promise((resolve) => setTimeout(resolve, dueMs));
      under.push(one());
    }
    await Promise.all(under);
  }
  const tookS = (nowMs() - startedAt) / 1_000;
  await agent.close();
  return { perSecond: answered.length / tookS, answered: latencies(answered) };
}

const calls = { run };
export type BarePosts = typeof calls;
serve(calls);

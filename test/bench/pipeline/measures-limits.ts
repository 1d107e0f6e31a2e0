import { bareInserts } from '#test/bench/pipeline/bare-insert';
import type { BareQueue } from '#test/bench/pipeline/bare-queue';
import type { BareRoute } from '#test/bench/pipeline/bare-route';
import { Child } from '#test/bench/pipeline/child';
import { urlsOf, type Consumers, type Rig } from '#test/bench/pipeline/rig';

const POSTS_AT_ONCE = 64;

/** What the parts can do without the product, on the same servers. */
export interface Limits {
  readonly posts: number;
  readonly queue: number;
  readonly route: number;
  readonly inserts: number;
  /** Milliseconds, of one POST after the other. */
  readonly postP50: number;
}

export async function measureLimits(rig: Rig, consumers: Consumers, seconds: number): Promise<Limits> {
  const { figures, stand } = rig;
  const urls = urlsOf(consumers);
  await rig.barePosts.ask('run', { urls, seconds: 1, concurrency: POSTS_AT_ONCE });
  const posts = await rig.barePosts.ask('run', { urls, seconds, concurrency: POSTS_AT_ONCE });
  figures.add(
    'bare.posts',
    posts.perSecond,
    '1/s',
    'signed POSTs from one undici agent to the same consumers',
  );
  const slow = await rig.barePosts.ask('run', { urls, seconds: 2, concurrency: 1, perSecond: 50 });
  figures.add('bare.post.p50', slow.answered.p50, 'ms', 'one such POST, 50 a second');

  const queueChild = Child.start<BareQueue>('bare-queue.ts');
  const queue = await queueChild.ask('run', { redisUrl: stand.redis.url, seconds });
  queueChild.stop();
  figures.add('bare.queue', queue, '1/s', 'BullMQ jobs added in bulk and done by an empty processor');

  const routeChild = Child.start<BareRoute>('bare-route.ts');
  const baseUrl = await routeChild.ask('start', null);
  await rig.post({ companies: ['BARE'], baseUrl, seconds: 1 });
  const route = await rig.post({ companies: ['BARE'], baseUrl, seconds });
  routeChild.stop();
  const routed = route.events / route.seconds;
  figures.add('bare.route', routed, '1/s', 'the same requests to an empty Nest and Fastify route');

  const inserts = await bareInserts(stand.postgres.adminUrl, seconds);
  figures.add('bare.inserts', inserts, '1/s', 'the same bodies inserted 200 at a time, one connection');
  return { posts: posts.perSecond, queue, route: routed, inserts, postP50: slow.answered.p50 };
}

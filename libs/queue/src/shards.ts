import { DELIVERIES_QUEUE } from './delivery-job.js';

/** The queues that deliveries are spread over, by their numbers; a lone one bears the plain name. */
export const shardNames = (count: number): readonly string[] =>
  count === 1
    ? [DELIVERIES_QUEUE]
    : Array.from({ length: count }, (_, number) => `${DELIVERIES_QUEUE}-${String(number)}`);

/**
 * The number of a consumer's shard: all of its deliveries go through one queue. The end of an id is random, so consumers
 * spread evenly.
 */
export const shardOf = (consumerId: string, count: number): number =>
  count === 1 ? 0 : Number.parseInt(consumerId.slice(-8), 16) % count;

/**
 * What a Redis Cluster hashes of a shard's keys. CRC16 puts numbers that differ in their last two bits into different
 * quarters of the slots, so any four shards in a row are spread over the nodes.
 */
export const hashTag = (namespace: string, shard: number): string => `{${namespace}-${String(shard)}}`;

/** What the queue is marked with: a word, and how many shards there were. */
export const markOf = (word: string, count: number): string => `${String(count)}:${word}`;

/** How many shards a mark speaks of; null when it is older than shards. */
export function shardsInMark(mark: string): number | null {
  const count = /^(\d{1,4}):/.exec(mark)?.[1];
  return count === undefined ? null : Number(count);
}

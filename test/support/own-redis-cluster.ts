import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { freePort } from '#test/support/free-port';
import { OwnRedis } from '#test/support/own-redis';
import { waitUntil } from '#test/support/wait-until';

const MASTERS = 3;
/** Short, so that a test sees a failover. Production uses a longer value. */
const NODE_TIMEOUT_MS = 1_000;

/** A Redis Cluster for one test: three masters with a replica each. */
export class OwnRedisCluster {
  /** The caller calls `remove`. */
  static async create(): Promise<OwnRedisCluster> {
    const nodes = await Promise.all(
      Array.from({ length: 2 * MASTERS }, async () =>
        OwnRedis.create({
          durable: false,
          settings: {
            'cluster-enabled': 'yes',
            'cluster-node-timeout': String(NODE_TIMEOUT_MS),
            'cluster-port': String(await freePort()),
            'repl-diskless-sync-delay': '0',
          },
        }),
      ),
    );
    const cluster = new OwnRedisCluster(nodes);
    try {
      await cluster.join();
      return cluster;
    } catch (error) {
      await cluster.remove();
      throw error;
    }
  }

  private constructor(private readonly nodes: readonly OwnRedis[]) {}

  /** The `REDIS_URL`, with two of its nodes. */
  get url(): string {
    const known = this.nodes.slice(0, 2).map(({ port }) => `127.0.0.1:${String(port)}`);
    return `redis+cluster://${known.join()}`;
  }

  /** Kills the master that holds this key with SIGKILL. @returns that node */
  async killMasterOf(key: string): Promise<OwnRedis> {
    const master = await this.masterOf(key);
    await master.stop({ hard: true });
    return master;
  }

  /** Waits until a node other than `former` is the master of this key. */
  async waitForFailover(key: string, former: OwnRedis): Promise<void> {
    await waitUntil(async () => (await this.masterOf(key)) !== former, {
      what: 'a replica to become the master',
    });
  }

  /** Empties only the master that holds this key. */
  async emptyMasterOf(key: string): Promise<void> {
    const master = await this.masterOf(key);
    await master.asked((redis) => redis.flushall());
  }

  async remove(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.remove()));
  }

  private async join(): Promise<void> {
    const addresses = this.nodes.map(({ port }) => `127.0.0.1:${String(port)}`);
    await promisify(execFile)('redis-cli', [
      '--cluster',
      'create',
      ...addresses,
      '--cluster-replicas',
      '1',
      '--cluster-yes',
    ]);
    await waitUntil(async () => (await Promise.all(this.nodes.map(isSettled))).every(Boolean), {
      what: 'all nodes of the Redis Cluster to be connected',
    });
  }

  private async masterOf(key: string): Promise<OwnRedis> {
    const running = this.nodes.filter(({ isRunning }) => isRunning);
    for (const node of running) {
      const isMaster = await node.asked(async (redis) => {
        if ((await redis.info('replication')).includes('role:slave')) return false;
        return redis.exists(key).then(
          () => true,
          () => false,
        );
      });
      if (isMaster) return node;
    }
    throw new Error(`no node is the master of ${key}`);
  }
}

/** Whether a node reports a complete cluster, and is connected with its replica or its master. */
const isSettled = (node: OwnRedis): Promise<boolean> =>
  node.asked(async (redis) => {
    const replication = await redis.info('replication');
    return (
      (await redis.cluster('INFO')).includes('cluster_state:ok') &&
      (replication.includes('role:master')
        ? replication.includes('connected_slaves:1')
        : replication.includes('master_link_status:up'))
    );
  });

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { freePort } from '#test/support/free-port';
import { OwnRedis } from '#test/support/own-redis';
import { RunningCommand } from '#test/support/running-command';
import { temporaryFolder, type TemporaryFolder } from '#test/support/temporary-folder';
import { waitUntil } from '#test/support/wait-until';

const MASTER_NAME = 'main';
const SENTINELS = 3;
const DOWN_AFTER_MS = 1_000;

/** The passwords of master and replica, and of the Sentinels. */
export const PASSWORDS = { master: 'of-the-master', sentinel: 'of-the-sentinels' } as const;

/** A master with a replica, and three Sentinels that monitor it; all require passwords. */
export class OwnSentinels {
  private readonly sentinels: { readonly port: number; readonly command: RunningCommand }[] = [];

  /** The caller calls `remove`. */
  static async create(): Promise<OwnSentinels> {
    const settings = {
      requirepass: PASSWORDS.master,
      masterauth: PASSWORDS.master,
      'repl-diskless-sync-delay': '0',
    };
    const master = await OwnRedis.create({ durable: false, settings });
    const replica = await OwnRedis.create({
      durable: false,
      settings: { ...settings, replicaof: `127.0.0.1 ${String(master.port)}` },
    });
    const own = new OwnSentinels([master, replica], await temporaryFolder('sentinels'));
    try {
      for (let number = 0; number < SENTINELS; number += 1) await own.startSentinel(number, master.port);
      await own.waitUntilTheyAgree();
      return own;
    } catch (error) {
      await own.remove();
      throw error;
    }
  }

  private constructor(
    private readonly servers: readonly OwnRedis[],
    private readonly folder: TemporaryFolder,
  ) {}

  /** The `REDIS_URL`. */
  get url(): string {
    const sentinels = this.sentinels.map(({ port }) => `127.0.0.1:${String(port)}`).join();
    return `redis+sentinel://:${PASSWORDS.master}@${sentinels}/${MASTER_NAME}?sentinelPassword=${PASSWORDS.sentinel}`;
  }

  /** Kills the master with SIGKILL, and waits until the Sentinels have promoted the replica. */
  async failOver(): Promise<void> {
    const former = await this.masterPort();
    await this.servers.find(({ port }) => port === former)?.stop({ hard: true });
    await waitUntil(async () => (await this.masterPort()) !== former, {
      what: 'the Sentinels to name another master',
    });
  }

  async remove(): Promise<void> {
    await Promise.all(this.sentinels.map(({ command }) => command.end('SIGKILL')));
    await Promise.all(this.servers.map((server) => server.remove()));
    await this.folder.remove();
  }

  private async startSentinel(number: number, masterPort: number): Promise<void> {
    const port = await freePort();
    const file = join(this.folder.path, `sentinel-${String(number)}.conf`);
    await writeFile(
      file,
      [
        `port ${String(port)}`,
        'bind 127.0.0.1',
        `dir ${this.folder.path}`,
        `requirepass ${PASSWORDS.sentinel}`,
        `sentinel sentinel-pass ${PASSWORDS.sentinel}`,
        `sentinel monitor ${MASTER_NAME} 127.0.0.1 ${String(masterPort)} 2`,
        `sentinel auth-pass ${MASTER_NAME} ${PASSWORDS.master}`,
        `sentinel down-after-milliseconds ${MASTER_NAME} ${String(DOWN_AFTER_MS)}`,
        `sentinel failover-timeout ${MASTER_NAME} 5000`,
        '',
      ].join('\n'),
    );
    const command = await RunningCommand.start({ file: 'redis-server', args: [file, '--sentinel'] });
    this.sentinels.push({ port, command });
  }

  /** Waits until each Sentinel knows the two others and the replica: only then a failover can succeed. */
  private async waitUntilTheyAgree(): Promise<void> {
    await waitUntil(
      async () => {
        const known = await Promise.all(
          this.sentinels.map((sentinel) =>
            asked(sentinel.port, (redis) => redis.call('SENTINEL', 'MASTER', MASTER_NAME)),
          ),
        );
        return known
          .map(String)
          .every(
            (facts) =>
              facts.includes(`num-other-sentinels,${String(SENTINELS - 1)},`) &&
              facts.includes('num-slaves,1,'),
          );
      },
      { what: 'the Sentinels to know each other' },
    );
  }

  private async masterPort(): Promise<number> {
    const [sentinel] = this.sentinels;
    const answer = await asked(sentinel?.port ?? 0, (redis) =>
      redis.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', MASTER_NAME),
    );
    return Number(Array.isArray(answer) ? answer[1] : undefined);
  }
}

async function asked<T>(port: number, ask: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(port, '127.0.0.1', {
    password: PASSWORDS.sentinel,
    retryStrategy: () => null,
    enableReadyCheck: false,
  });
  redis.on('error', () => undefined);
  try {
    return await ask(redis);
  } finally {
    redis.disconnect();
  }
}

import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, rename, writeFile } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Client } from 'pg';
import { OwnPostgres } from '#test/support/own-postgres';
import { RunningCommand } from '#test/support/running-command';
import { startProcess, type StartedProcess } from '#test/support/started-process';
import { newKey, QUEUE_BACKENDS, TEST_ENVIRONMENT } from '#test/support/system';
import { waitUntil } from '#test/support/wait-until';

const WAITING = 'postgres.unreachable';

describe.each(QUEUE_BACKENDS)('start before PostgreSQL, with the queue on %s', (backend) => {
  let postgres: OwnPostgres;
  let env: Record<string, string>;
  beforeAll(async () => {
    // A standby refuses connections until it is promoted: "the database system is starting up".
    postgres = await OwnPostgres.create({ settings: { hot_standby: 'off' } });
    env = {
      ...TEST_ENVIRONMENT,
      DATABASE_URL: postgres.adminUrl,
      QUEUE_BACKEND: backend,
      QUEUE_NAMESPACE: `e2e_${randomBytes(8).toString('hex')}`,
      ...(backend === 'redis' ? { REDIS_URL: process.env['TEST_REDIS_URL'] ?? '' } : {}),
      SECRETS_KEYRING: newKey('k1'),
      ADMIN_API_KEY: randomBytes(24).toString('hex'),
    };
  });
  afterAll(() => postgres.remove());

  const hasWritten = (process: { output: string }, text: string): Promise<true> =>
    waitUntil(() => process.output.includes(text), { what: () => `"${text}" in ${process.output}` });

  test('the migration waits for PostgreSQL and then migrates', async () => {
    await postgres.stop();
    const migrate = await RunningCommand.start({
      file: process.execPath,
      args: ['dist/apps/api/migrate.js'],
      env,
    });
    await hasWritten(migrate, 'waiting up to 15 s for PostgreSQL: ');
    await postgres.start();
    expect(await migrate.exited).toEqual({ code: 0, signal: null });
    expect(migrate.output).toContain('migrated: 0001-schema, 0002-');
  });

  test('api and worker that wait for PostgreSQL log it once, are alive and not ready, and become ready afterwards', async () => {
    await postgres.stop();
    const processes = await Promise.all([
      startProcess({ app: 'api', env }),
      startProcess({ app: 'worker', env }),
    ]);
    for (const each of processes) {
      await hasWritten(each, WAITING);
      expect(await statuses(each)).toEqual({ livez: 200, readyz: 503, events: 503, retryAfter: '5' });
    }

    const promote = await startAsStandby(postgres);
    for (const each of processes) expect(each.isRunning).toBe(true);
    await promote();

    for (const each of processes) {
      await each.waitForReady();
      expect(each.output.split(WAITING)).toHaveLength(2);
      expect(each.output).toMatch(/"fault":"[^"]*ECONNREFUSED[^"]*","advice":"[^"]*DATABASE_URL[^"]*"/);
      expect(each.output).toMatch(/"waitedMs":\d+,"msg":"postgres.reachable"/);
      expect(await each.kill()).toEqual({ code: 0, signal: null });
    }
  });

  test('api and worker become ready although PostgreSQL closes their connections at any moment of the start', async () => {
    await postgres.start();
    const starts = await Promise.all(
      [1, 2, 3, 4].flatMap((permitted) =>
        (['api', 'worker'] as const).map(async (app) => {
          const proxy = await LimitedProxy.open(postgres.port, permitted);
          const url = new URL(postgres.adminUrl);
          url.port = String(proxy.port);
          const process = await startProcess({ app, env: { ...env, DATABASE_URL: url.href } });
          return { proxy, process };
        }),
      ),
    );
    try {
      await Promise.all(
        starts.map(async ({ proxy, process }) => {
          // An api that is ready opens no more connections.
          await waitUntil(() => proxy.refused >= 3 || /"msg":"process\.ready"/.test(process.output), {
            what: () => `new connections; output of the process:\n${process.output}`,
          });
          proxy.reopen();
          await process.waitForReady();
          expect(await process.kill()).toEqual({ code: 0, signal: null });
        }),
      );
    } finally {
      for (const { proxy } of starts) proxy.close();
    }
  });

  test('SIGTERM ends a worker that waits for PostgreSQL at once', async () => {
    await postgres.stop();
    const worker = await startProcess({ app: 'worker', env });
    await hasWritten(worker, WAITING);
    expect(await worker.kill('SIGTERM')).toEqual({ code: 143, signal: null });
  });
});

/** A proxy to PostgreSQL that closes all connections and refuses new ones when more than a number were opened. */
class LimitedProxy {
  /** Number of refused connections. */
  refused = 0;
  private readonly sockets = new Set<Socket>();
  private readonly server = createServer((client) => this.carry(client));

  static async open(postgresPort: number, permitted: number): Promise<LimitedProxy> {
    const proxy = new LimitedProxy(postgresPort, permitted);
    proxy.server.listen(0, '127.0.0.1');
    await once(proxy.server, 'listening');
    return proxy;
  }

  private constructor(
    private readonly postgresPort: number,
    private permitted: number,
  ) {}

  get port(): number {
    const address = this.server.address();
    if (address === null || typeof address === 'string') throw new Error('the proxy does not listen');
    return address.port;
  }

  reopen(): void {
    this.permitted = Infinity;
  }

  close(): void {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
  }

  private carry(client: Socket): void {
    this.keep(client);
    this.permitted -= 1;
    if (this.permitted < 0) {
      this.refused += 1;
      for (const socket of this.sockets) socket.destroy();
      return;
    }
    const upstream = connect(this.postgresPort, '127.0.0.1');
    this.keep(upstream);
    client.pipe(upstream).pipe(client);
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  }

  private keep(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => this.sockets.delete(socket));
  }
}

/** Answers to the health checks and to a producer. */
async function statuses({ baseUrl }: StartedProcess): Promise<Record<string, unknown>> {
  const [livez, readyz, events] = await Promise.all([
    fetch(`${baseUrl}/livez`),
    fetch(`${baseUrl}/readyz`),
    fetch(`${baseUrl}/v1/events`, { method: 'POST', body: '{}' }),
  ]);
  await Promise.all([livez, readyz, events].map((answer) => answer.arrayBuffer()));
  return {
    livez: livez.status,
    readyz: readyz.status,
    events: events.status,
    retryAfter: events.headers.get('retry-after'),
  };
}

/** Starts a server that refuses connections because it is starting up (57P03). @returns a function that promotes it */
async function startAsStandby(postgres: OwnPostgres): Promise<() => Promise<void>> {
  const create = async (name: string): Promise<void> => {
    // Created in one step: PostgreSQL may find the file at any moment, and then removes it.
    const path = join(postgres.dataFolder, name);
    await writeFile(`${path}.new`, '');
    await chmod(`${path}.new`, 0o666);
    await rename(`${path}.new`, path);
  };
  await create('standby.signal');
  const started = postgres.start();
  await waitUntil(
    async () => {
      const client = new Client({ connectionString: postgres.adminUrl });
      const fault: unknown = await client.connect().catch((error: unknown) => error);
      return fault instanceof Error && 'code' in fault && fault.code === '57P03';
    },
    { what: 'PostgreSQL to refuse connections because it is starting up' },
  );
  return async () => {
    await create('promote');
    process.kill(postgres.pid, 'SIGUSR1');
    await started;
  };
}

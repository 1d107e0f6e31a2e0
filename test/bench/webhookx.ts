import { execFile } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Target } from '#test/bench/producers';
import { Rig, type Consumers } from '#test/bench/rig';
import { startServers, type StartedServers } from '#test/bench/servers';
import type { ProcessGroups } from '#test/bench/usage';
import { freePort } from '#test/support/free-port';
import { RunningCommand } from '#test/support/running-command';
import type { TemporaryFolder } from '#test/support/temporary-folder';
import { waitUntil } from '#test/support/wait-until';
import { Client } from 'pg';

const run = promisify(execFile);
const EVENT_TYPE = 'payment.status';

/** Builds WebhookX with Go from a checkout of its source, as its Makefile does. */
export async function buildWebhookX(
  source: string,
  folder: TemporaryFolder,
): Promise<{ program: string; version: string; go: string }> {
  const program = join(folder.path, 'webhookx');
  const { stdout: tag } = await run('git', ['-C', source, 'describe', '--tags', '--always']);
  const version = tag.trim().replace(/^v/, '');
  await run(
    'go',
    [
      'build',
      '-ldflags',
      `-X github.com/webhookx-io/webhookx.VERSION=${version}`,
      '-o',
      program,
      './cmd/main',
    ],
    { cwd: source, env: { ...process.env, CGO_ENABLED: '0' } },
  );
  const { stdout: go } = await run('go', ['env', 'GOVERSION']);
  return { program, version, go: go.trim() };
}

/** An installation of WebhookX with its defaults, one source, and one endpoint that signs. */
export class WebhookX extends Rig {
  /** Starts it on an empty database, which is analyzed while it is empty. */
  static async openYoung(program: string, folder: TemporaryFolder): Promise<[WebhookX, Consumers]> {
    const [servers, proxyPort, adminPort, statusPort] = await Promise.all([
      startServers('debian'),
      freePort(),
      freePort(),
      freePort(),
    ]);
    const { hostname, port, username, password } = new URL(servers.postgres.adminUrl);
    const at = (of: number): string => `127.0.0.1:${String(of)}`;
    const env = {
      PATH: process.env['PATH'],
      WEBHOOKX_DATABASE_HOST: hostname,
      WEBHOOKX_DATABASE_PORT: port,
      WEBHOOKX_DATABASE_USERNAME: username,
      WEBHOOKX_DATABASE_PASSWORD: password,
      WEBHOOKX_DATABASE_DATABASE: 'postgres',
      WEBHOOKX_REDIS_PORT: String(servers.redis.port),
      WEBHOOKX_PROXY_QUEUE_REDIS_PORT: String(servers.redis.port),
      WEBHOOKX_PROXY_LISTEN: at(proxyPort),
      WEBHOOKX_ADMIN_LISTEN: at(adminPort),
      WEBHOOKX_STATUS_LISTEN: at(statusPort),
      // Its default forbids requests to this machine.
      WEBHOOKX_WORKER_DELIVERER_ACL_DENY: '',
      WEBHOOKX_ANONYMOUS_REPORTS: 'false',
    };
    const sql = new Client({ connectionString: servers.postgres.adminUrl });
    await sql.connect();
    await run(program, ['db', 'up', '--quiet'], { env });
    await sql.query('analyze');
    const log = openSync(join(folder.path, 'webhookx.log'), 'w');
    const server = await RunningCommand.start({ file: program, args: ['start'], env, stdout: log });
    closeSync(log);
    const rig = new WebhookX(servers, sql, server, `http://${at(proxyPort)}`);
    const [consumer = 0] = await rig.consumers.call('start', { count: 1, behaviour: {} });
    await rig.configure(`http://${at(adminPort)}`, consumer);
    return [rig, { ids: [], companies: ['C'], ports: [consumer] }];
  }

  private constructor(
    private readonly servers: StartedServers,
    private readonly sql: Client,
    private readonly server: RunningCommand,
    private readonly proxyUrl: string,
  ) {
    super();
  }

  override get target(): Target {
    return {
      baseUrl: this.proxyUrl,
      key: 'none',
      path: '/',
      around: [`{"event_type":"${EVENT_TYPE}","data":`, '}'],
    };
  }

  override get processes(): ProcessGroups {
    const { postgres, redis } = this.servers;
    return { webhookx: [this.server.pid], postgres: [postgres.pid], redis: [redis.pid] };
  }

  override async delivered(): Promise<void> {
    await waitUntil(
      async () =>
        (await this.sql.query(`select from attempts where status in ('INIT', 'QUEUED') limit 1`)).rowCount ===
        0,
      { deadlineMs: 600_000, everyMs: 50, what: 'WebhookX to deliver everything' },
    );
  }

  override async close(): Promise<void> {
    this.stopChildren();
    await this.server.end('SIGKILL');
    await this.sql.end();
    await this.servers.remove();
  }

  /** Sets the source and the endpoint, and waits until a first event has come through. */
  private async configure(adminUrl: string, consumerPort: number): Promise<void> {
    const plugin = {
      name: 'webhookx-signature',
      config: { signing_secret: 'a signing secret of thirty-two b' },
    };
    const url = `http://127.0.0.1:${String(consumerPort)}/hooks/payments`;
    const request = { url, method: 'POST', timeout: 10_000 };
    const configuration = {
      sources: [{ name: 'bench', type: 'http', config: { http: { path: '/', methods: ['POST'] } } }],
      endpoints: [{ name: 'bench', request, events: [EVENT_TYPE], plugins: [plugin] }],
    };
    const sent = async (to: string, body: unknown): Promise<boolean> => {
      const answer = await fetch(to, { method: 'POST', body: JSON.stringify(body) });
      if (!answer.ok) throw new Error(`${String(answer.status)} ${await answer.text()}`);
      return true;
    };
    const what = (): string => `WebhookX to be ready. Its output:\n${this.server.output}`;
    await waitUntil(() => sent(`${adminUrl}/workspaces/default/config/sync`, configuration), { what });
    await waitUntil(() => sent(this.proxyUrl, { event_type: EVENT_TYPE, data: {} }), { what });
    await waitUntil(async () => (await this.consumers.call('count', null)).acknowledged > 0, { what });
  }
}

/**
 * Consumers in a process of their own, started by receivers.ts: listens on so many ports, answers every request with
 * 200 or never, and tells its parent which notification arrived when.
 */
import { createServer, type Server } from 'node:http';
import { nowMs } from '#test/bench/pipeline/clock';

export interface Arrived {
  readonly id: string;
  /** Milliseconds since 1970, with fractions. */
  readonly at: number;
}

export type FromReceiving = { readonly ports: readonly number[] } | { readonly arrived: readonly Arrived[] };

const LOG_EVERY_MS = 100;

const [behaviour, count] = process.argv.slice(2);
const answers = behaviour === 'answers';
let arrived: Arrived[] = [];

function listen(): Promise<Server> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const at = nowMs();
      const [, id = ''] = /"notificationId":"([^"]+)"/.exec(Buffer.concat(chunks).toString('latin1')) ?? [];
      arrived.push({ id, at });
      if (answers) response.writeHead(200).end();
    });
  });
  server.keepAliveTimeout = 30_000;
  return new Promise((resolve) => server.listen(0, '127.0.0.1', 1_024, () => resolve(server)));
}

const tell = (message: FromReceiving): void => void process.send?.(message);

const servers = await Promise.all(Array.from({ length: Number(count) }, listen));
tell({
  ports: servers.map((server) => {
    const address = server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }),
});
setInterval(() => {
  if (arrived.length === 0) return;
  tell({ arrived });
  arrived = [];
}, LOG_EVERY_MS);
process.on('disconnect', () => process.exit());

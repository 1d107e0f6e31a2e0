import { once } from 'node:events';
import { createServer } from 'node:http';
import { oneOf, registeredUrl, runCommand, wholeNumber } from '#examples/sandbox/command-line';
import { BEHAVIOURS, createReceiver } from '#examples/sandbox/receive';
import { TIMESTAMP_UNITS } from '#libs/contracts';
import { canonicalConsumerUrl } from '#libs/egress';

const USAGE = `npm run receiver -- --secret SECRET --user USER --password PASSWORD [options]

Receives notifications on this machine, checks them as a consumer must, and prints the result.

  --secret     the signing secret
  --user       the Basic user name
  --password   the Basic password
  --port       the port on 127.0.0.1 (8080)
  --url        the registered URL, if a proxy or a tunnel is between (http://127.0.0.1:PORT/hook)
  --unit       of x-timestamp: ${TIMESTAMP_UNITS.join(' or ')} (seconds)
  --behave     ${BEHAVIOURS.join(', ')} (healthy)
  --delay-ms   the time before the answer of slow (12000)`;

const OPTIONS = {
  secret: { type: 'string' },
  user: { type: 'string' },
  password: { type: 'string' },
  port: { type: 'string', default: '8080' },
  url: { type: 'string' },
  unit: { type: 'string', default: 'seconds' },
  behave: { type: 'string', default: 'healthy' },
  'delay-ms': { type: 'string', default: '12000' },
} as const;

/** More than the largest notification (256 KiB). */
const MAX_BODY_BYTES = 1_048_576;

const print = (line: string): void => void process.stdout.write(`${line}\n`);

await runCommand(
  { options: OPTIONS, required: ['secret', 'user', 'password'], usage: USAGE },
  async (given) => {
    const port = wholeNumber('port', given.port, 65_535);
    const delayMs = wholeNumber('delay-ms', given['delay-ms'], 600_000);
    const behaviour = oneOf('behave', given.behave, BEHAVIOURS);
    const unit = oneOf('unit', given.unit, TIMESTAMP_UNITS);
    const local = `http://127.0.0.1:${String(port)}`;
    const url = registeredUrl('url', canonicalConsumerUrl(given.url ?? `${local}/hook`, { allowHttp: true }));
    const { secret = '', user = '', password = '' } = given;
    const receive = createReceiver({ url, secret, user, password, unit }, behaviour);

    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      request.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > MAX_BODY_BYTES) request.destroy();
        else chunks.push(chunk);
      });
      request.once('end', () => {
        const { headers, method = '', url: path = '' } = request;
        const { status, lines } = receive({ headers, method, path, rawBody: Buffer.concat(chunks) });
        print(`${new Date().toISOString()} ${lines.join('\n')}`);
        setTimeout(() => response.writeHead(status).end(), behaviour === 'slow' ? delayMs : 0);
      });
    });
    server.once('error', (error) => {
      process.stderr.write(
        `Cannot listen on port ${String(port)}: ${error.message}. Choose another --port.\n`,
      );
      process.exitCode = 1;
    });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening').catch(() => undefined);
    if (server.listening)
      print(`Receiving on ${local} for the registered URL ${url}, ${behaviour}. Ctrl-C ends it.`);
  },
);

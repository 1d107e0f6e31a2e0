import 'reflect-metadata';
import { SAMPLE_STATUSES, sampleEnvelope } from '#apps/api/src/resources/consumers/diagnosis/sample-change';
import { oneOf, registeredUrl, runCommand } from '#examples/sandbox/command-line';
import { TIMESTAMP_UNITS } from '#libs/contracts';
import { canonicalConsumerUrl, createEgress } from '#libs/egress';
import { signedHeaders } from '#libs/signing';

const USAGE = `npm run send-sample -- --url URL --secret SECRET --user USER --password PASSWORD [options]

Sends one signed notification, as the dispatcher would, and prints the answer.

  --url        where to send it
  --secret     the signing secret
  --user       the Basic user name
  --password   the Basic password
  --status     ${SAMPLE_STATUSES.join(', ')} (PROCESSED)
  --unit       of x-timestamp: ${TIMESTAMP_UNITS.join(' or ')} (seconds)

It ends with 0 if the answer is 2xx within 10 seconds, otherwise with 1.`;

const OPTIONS = {
  url: { type: 'string' },
  secret: { type: 'string' },
  user: { type: 'string' },
  password: { type: 'string' },
  status: { type: 'string', default: 'PROCESSED' },
  unit: { type: 'string', default: 'seconds' },
} as const;

/** The default timeout of a consumer. */
const TIMEOUT_MS = 10_000;

const print = (line: string): void => void process.stdout.write(`${line}\n`);

await runCommand(
  { options: OPTIONS, required: ['url', 'secret', 'user', 'password'], usage: USAGE },
  async (given) => {
    const url = registeredUrl('url', canonicalConsumerUrl(given.url ?? '', { allowHttp: true }));
    const status = oneOf('status', given.status, SAMPLE_STATUSES);
    const timestampUnit = oneOf('unit', given.unit, TIMESTAMP_UNITS);
    const { secret: signingSecret = '', user: username = '', password = '' } = given;
    const { notificationId, body } = sampleEnvelope(status, new Date());

    // The person at the terminal chooses the address, so none is refused.
    const egress = createEgress({ allow: ['0.0.0.0/0', '::/0'] });
    const exchange = await egress.post({
      url,
      body,
      timeoutMs: TIMEOUT_MS,
      buildHeaders: (sentAtMs) =>
        signedHeaders({ url, body, timestampUnit }, { signingSecret, username, password }, sentAtMs),
    });
    await egress.close();

    const { outcome, httpStatus, durationMs, detail, responseBody, requestHeaders } = exchange;
    print(`Sent ${status}, notificationId ${notificationId}, ${String(Buffer.byteLength(body))} bytes`);
    print(`  POST ${url}`);
    print(`  x-timestamp: ${requestHeaders['x-timestamp'] ?? ''}`);
    print(`  x-signature: ${requestHeaders['x-signature'] ?? ''}`);
    print(
      `${outcome}${httpStatus === null ? '' : `, HTTP ${String(httpStatus)}`} after ${String(durationMs)} ms`,
    );
    if (outcome === 'acknowledged') return;
    if (httpStatus === null) print(`  ${detail}`);
    if (responseBody !== null && responseBody !== '') print(`  The answer: ${JSON.stringify(responseBody)}`);
    process.exitCode = 1;
  },
);

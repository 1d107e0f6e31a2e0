// Reads a vector per line (see ../README.md) and prints a verdict per line.
import { createInterface } from 'node:readline';
import { verifyNotification } from './verify-notification.ts';

const decoded = (field = ''): Buffer => Buffer.from(field, 'base64');
const text = (field?: string): string => decoded(field).toString();

for await (const line of createInterface({ input: process.stdin })) {
  const [method, url, body, secret, unit, nowMs, toleranceSeconds, ...headers] = line.split('\t');
  const verdict = verifyNotification(
    {
      method: text(method),
      url: text(url),
      rawBody: decoded(body),
      headers: Object.fromEntries(headers.map((header) => text(header).split(/: (.*)/s, 2))),
    },
    {
      secret: text(secret),
      unit: text(unit) === 'seconds' ? 'seconds' : 'milliseconds',
      nowMs: Number(text(nowMs)),
      toleranceSeconds: Number(text(toleranceSeconds)),
    },
  );
  process.stdout.write(`${verdict}\n`);
}

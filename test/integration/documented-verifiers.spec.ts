import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { signNotification } from '#libs/signing';

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/verifying-notifications.md'), 'utf8');

/** The code block of the page in a language. */
const blockOf = (language: string): string =>
  new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'ms').exec(PAGE)?.[1] ?? '';

// The test vector of the page.
const VECTOR = {
  secret: 'whsec_test_0123456789',
  url: 'https://consumer.example/ach-payments-api/v1/hook',
  body: '{"a":1}',
  timestamp: '1700000000',
  signature: '6964a30a8ba691eb862b88dcaf7c2a711898b436a662c3e2e1cfbef65bdb2dcd',
};
const SENT_AT_S = Number(VECTOR.timestamp);
const { secret, url, body, timestamp, signature } = VECTOR;

/** Secret, URL, body, timestamp, signature, the clock in seconds, and the verdict that the check must give. */
type Case = readonly [string, string, string, string, string, number, boolean];
const at = (ageS: number, isAccepted: boolean): Case => [
  secret,
  url,
  body,
  timestamp,
  signature,
  SENT_AT_S + ageS,
  isAccepted,
];
const CASES: readonly Case[] = [
  at(0, true),
  at(300, true),
  at(-300, true),
  at(301, false),
  at(-301, false),
  [
    secret,
    url,
    '{"a":"ü"}',
    '1',
    signNotification(secret, { url, body: '{"a":"ü"}', timestamp: '1' }),
    1,
    true,
  ],
  [`${secret}x`, url, body, timestamp, signature, SENT_AT_S, false],
  [secret, `${url}/`, body, timestamp, signature, SENT_AT_S, false],
  [secret, url, '{"a": 1}', timestamp, signature, SENT_AT_S, false],
  [secret, url, body, '1700000001', signature, SENT_AT_S, false],
  [secret, url, body, timestamp, signature.toUpperCase(), SENT_AT_S, false],
  [secret, url, body, timestamp, 'ü'.repeat(64), SENT_AT_S, false],
  [secret, url, body, `${timestamp}\n`, signature, SENT_AT_S, false],
];

/** The verdicts of a program that reads the cases from its standard input. */
function verdictsOf(command: string, parameters: readonly string[], program: string): unknown {
  const ran = spawnSync(command, [...parameters, program], {
    input: JSON.stringify(CASES),
    encoding: 'utf8',
    // Python's own default depends on the machine's locale.
    env: { ...process.env, PYTHONUTF8: '1' },
  });
  expect({ status: ran.status, stderr: ran.stderr }).toMatchObject({ status: 0 });
  return JSON.parse(ran.stdout);
}
const EXPECTED = CASES.map((each) => each[6]);

it('the documented TypeScript check accepts a notification within 300 s of its time, and refuses altered parts', () => {
  const caller = `import { readFileSync } from 'node:fs';
    const cases = JSON.parse(readFileSync(0, 'utf8'));
    console.log(JSON.stringify(cases.map(([secret, url, body, ...rest]) =>
      isGenuine(secret, url, Buffer.from(body), ...rest.slice(0, 3)))));`;
  const program = `${blockOf('ts')}\n${caller}`;
  expect(verdictsOf(process.execPath, ['--input-type=module-typescript', '-e'], program)).toEqual(EXPECTED);
});

const hasPython = spawnSync('python3', ['--version']).status === 0;
it.skipIf(!hasPython && process.env['CI'] === undefined)(
  'the documented Python check accepts a notification within 300 s of its time, and refuses altered parts',
  () => {
    const caller = `import json, sys
print(json.dumps([is_genuine(c[0], c[1], c[2].encode(), *c[3:6]) for c in json.load(sys.stdin)]))`;
    expect(verdictsOf('python3', ['-c'], `${blockOf('python')}\n${caller}`)).toEqual(EXPECTED);
  },
);

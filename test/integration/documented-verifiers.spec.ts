import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { signNotification } from '#libs/signing';

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/verifying-notifications.md'), 'utf8');

/** The page's block of code in a language. */
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

/** Secret, URL, body, timestamp, signature, the clock in seconds, and what the check must answer. */
type Case = readonly [string, string, string, string, string, number, boolean];
const at = (ageS: number, isTaken: boolean): Case => [
  secret,
  url,
  body,
  timestamp,
  signature,
  SENT_AT_S + ageS,
  isTaken,
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

/** What a program answers that reads the cases from its standard input. */
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

describe('the check that the page for consumers shows', () => {
  it('in TypeScript takes exactly 300 s of age or lead and the page’s own vector, and refuses 301 s and every other part', () => {
    const asked = `import { readFileSync } from 'node:fs';
      const cases = JSON.parse(readFileSync(0, 'utf8'));
      console.log(JSON.stringify(cases.map(([secret, url, body, ...rest]) =>
        isGenuine(secret, url, Buffer.from(body), ...rest.slice(0, 3)))));`;
    const program = `${blockOf('ts')}\n${asked}`;
    expect(verdictsOf(process.execPath, ['--input-type=module-typescript', '-e'], program)).toEqual(EXPECTED);
  });

  const isPythonThere = spawnSync('python3', ['--version']).status === 0;
  (isPythonThere || process.env['CI'] !== undefined ? describe : describe.skip)('in Python', () => {
    it('does the same', () => {
      const asked = `import json, sys
print(json.dumps([is_genuine(c[0], c[1], c[2].encode(), *c[3:6]) for c in json.load(sys.stdin)]))`;
      expect(verdictsOf('python3', ['-c'], `${blockOf('python')}\n${asked}`)).toEqual(EXPECTED);
    });
  });
});

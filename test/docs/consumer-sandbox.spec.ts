import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { SAMPLE_STATUSES, sampleEnvelope } from '#apps/api/src/resources/consumers/diagnosis/sample-change';
import { BEHAVIOURS, createReceiver } from '#examples/sandbox/receive';
import { signedHeaders } from '#libs/signing';
import { blocksOf, PageSession } from '#test/support/documented-page';
import { freePort } from '#test/support/free-port';
import { RunningCommand } from '#test/support/running-command';
import { temporaryFolder, type TemporaryFolder } from '#test/support/temporary-folder';
import { waitUntil } from '#test/support/wait-until';

const PAGE = 'docs/consumer-sandbox.md';
const PROJECT = join(import.meta.dirname, '../..');
const CREDENTIALS = ['--secret', 'whsec_sandbox_0123456789', '--user', 'bank', '--password', 'päss:word'];
const running: RunningCommand[] = [];

/** Starts a command of examples/sandbox; the page's commands run it through npm. */
async function start(name: string, args: readonly string[]): Promise<RunningCommand> {
  const command = await RunningCommand.start({
    file: process.execPath,
    args: ['--disable-warning=ExperimentalWarning', `examples/sandbox/${name}.ts`, ...args],
    cwd: PROJECT,
  });
  running.push(command);
  return command;
}

/** Runs the sender to its end. @returns its exit status and its output */
async function send(args: readonly string[]): Promise<{ code: number | null; output: string }> {
  const command = await start('send-sample', args);
  return { code: (await command.exited).code, output: command.output };
}

interface Receiver {
  url: string;
  command: RunningCommand;
}

async function startReceiver(...options: string[]): Promise<Receiver> {
  const port = String(await freePort());
  const command = await start('receiver', [...CREDENTIALS, '--port', port, ...options]);
  await waitUntil(() => command.output.includes('Receiving on'), {
    what: () => `a start:\n${command.output}`,
  });
  return { url: `http://127.0.0.1:${port}/hook`, command };
}

const printed = ({ command }: Receiver, text: string): Promise<unknown> =>
  waitUntil(() => command.output.includes(text), { what: () => `“${text}” in:\n${command.output}` });

afterEach(async () => {
  await Promise.all(running.splice(0).map((command) => command.end('SIGKILL')));
});

describe('docs/consumer-sandbox.md', () => {
  let folder: TemporaryFolder;
  beforeAll(async () => {
    folder = await temporaryFolder('sandbox');
  });
  afterAll(() => folder.remove());

  test('the commands of docs/consumer-sandbox.md print the documented output', async () => {
    const page = blocksOf(PAGE);
    const commands = page.filter(({ language }) => language === 'sh').map(({ text }) => text.trim());
    const outputs = page.filter(({ language }) => language === '').map(({ text }) => text.trimEnd());
    const [install, receive, ...sends] = commands;
    expect([install, sends.length, outputs.length]).toEqual(['npm install', 3, 3]);

    const ports = { 8080: await freePort() };
    const [receiver, sender] = [0, 1].map(() => PageSession.start(folder.path, {}, ports));
    if (receiver === undefined || sender === undefined) throw new Error('no sessions');
    try {
      await receiver.run(`cd ${PROJECT}`);
      await sender.run(`cd ${PROJECT}`);
      await receiver.run(`${receive ?? ''} &`);
      await waitUntil(() => receiver.printed.includes('Receiving on'), { what: 'the receiver' });
      let sent = '';
      for (const command of sends) sent += await sender.run(command);
      // Ids, times, lengths and signatures differ in each run.
      const shape = (text: string): string =>
        text.replaceAll(
          /TEST-[\da-f-]+|\b[\da-f]{64}\b|\d+-\d+-\d+T[\d:.]+Z|:\d+\/|\d+ (bytes|ms)|\d{10}/g,
          '…',
        );
      for (const output of outputs) {
        await waitUntil(() => shape(sent + receiver.printed).includes(shape(output)), {
          what: () => `the documented output\n${output}\nin:\n${sent}${receiver.printed}`,
        });
      }
    } finally {
      await receiver.end();
      await sender.end();
    }
  });
});

describe('npm run receiver', () => {
  test('docs/consumer-sandbox.md lists each status and each behaviour', () => {
    const page = readFileSync(join(PROJECT, PAGE), 'utf8');
    expect([...SAMPLE_STATUSES, ...BEHAVIOURS].filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });

  test.each(['RETURN', 'Send Ready'])(
    'the receiver acknowledges a sample of the status %s',
    async (status) => {
      const receiver = await startReceiver();
      expect(await send(['--url', receiver.url, ...CREDENTIALS, '--status', status])).toEqual({
        code: 0,
        output: expect.stringContaining('acknowledged, HTTP 204'),
      });
      await printed(receiver, `status ${status}, payment TEST-`);
    },
  );

  test('the receiver acknowledges a repeated notification again, with a remark', () => {
    const agreement = {
      url: 'https://consumer.example/hook',
      secret: 's',
      user: 'u',
      password: 'p',
    } as const;
    const receive = createReceiver({ ...agreement, unit: 'seconds' }, 'healthy');
    const { body } = sampleEnvelope('Complete', new Date());
    const arrive = (afterMs: number) => {
      const credentials = { signingSecret: 's', username: 'u', password: 'p' };
      const { url } = agreement;
      const headers = signedHeaders(
        { url, body, timestampUnit: 'seconds' },
        credentials,
        Date.now() + afterMs,
      );
      return receive({ headers, method: 'POST', path: '/hook', rawBody: Buffer.from(body) });
    };
    expect(arrive(0)).toEqual({
      status: 204,
      lines: [expect.stringContaining('genuine: wire.status Complete')],
    });
    expect(arrive(5_000)).toEqual({
      status: 204,
      lines: [expect.any(String), '  It was acknowledged before: a consumer ignores it and answers 2xx.'],
    });
  });

  test.each([
    { behave: 'failing', options: [], answer: 'http_status, HTTP 500', line: 'answered 500' },
    { behave: 'gone', options: [], answer: 'http_status, HTTP 410', line: 'answered 410' },
    { behave: 'slow', options: ['--delay-ms', '20'], answer: 'acknowledged, HTTP 204', line: 'answered 204' },
    {
      behave: 'wrong-secret',
      options: [],
      answer: 'http_status, HTTP 401',
      line: 'refused with 401: signature_wrong',
    },
  ])('the receiver with --behave $behave answers “$answer”', async ({ behave, options, answer, line }) => {
    const receiver = await startReceiver('--behave', behave, ...options);
    const { code, output } = await send(['--url', receiver.url, ...CREDENTIALS]);
    expect({ code, output }).toEqual({
      code: answer.startsWith('acknowledged') ? 0 : 1,
      output: expect.stringContaining(answer),
    });
    await printed(receiver, line);
  });

  test('the receiver names the reason of each refusal, and prints neither secret nor password', async () => {
    const receiver = await startReceiver();
    const [, secret = '', , user = '', , password = ''] = CREDENTIALS;
    const sendWith = (changed: Readonly<Record<string, string>>, url = receiver.url) => {
      const options = { '--secret': secret, '--user': user, '--password': password, ...changed };
      return send(['--url', url, ...Object.entries(options).flat()]);
    };
    const outputs = [
      await sendWith({ '--secret': 'another_secret_0123' }),
      await sendWith({}, `${receiver.url}/`),
      await sendWith({ '--password': 'another password' }),
      await sendWith({ '--unit': 'milliseconds' }),
    ];
    expect(outputs.map(({ code }) => code)).toEqual([1, 1, 1, 1]);
    await printed(receiver, 'The secret differs, or a proxy has changed the body.');
    await printed(receiver, 'The request came to /hook/. Is --url the registered URL?');
    await printed(receiver, 'refused with 401: credentials_wrong');
    await printed(receiver, 'refused with 401: timestamp_ahead');
    const everything = receiver.command.output + outputs.map(({ output }) => output).join('');
    for (const hidden of [secret, password, 'another_secret_0123', 'another password'])
      expect(everything).not.toContain(hidden);
  });
});

describe('options of the sandbox', () => {
  test.each([
    { args: [], line: 'Missing: --url, --secret, --user, --password. --help lists the options.\n' },
    { args: ['--secrets', 'x'], line: "Unknown option '--secrets'. --help lists the options.\n" },
    {
      args: ['--url', 'http://127.0.0.1:1/', ...CREDENTIALS, '--status', 'Done'],
      line: `--status must be one of ${SAMPLE_STATUSES.join(', ')}, not “Done”. --help lists the options.\n`,
    },
    {
      args: ['--url', 'consumer', ...CREDENTIALS],
      line: '--url must be an absolute URL. --help lists the options.\n',
    },
  ])('npm run send-sample ends with 2 and one line for the arguments $args', async ({ args, line }) => {
    expect(await send(args)).toEqual({ code: 2, output: line });
  });

  test('npm run send-sample names the fault of a connection and ends with 1', async () => {
    const url = `http://127.0.0.1:${String(await freePort())}/`;
    const { code, output } = await send(['--url', url, ...CREDENTIALS]);
    expect({ code, output }).toEqual({ code: 1, output: expect.stringMatching(/^connect after \d+ ms$/m) });
  });

  test('npm run receiver names the option that is wrong, and a port that is in use', async () => {
    const wrong = await start('receiver', [...CREDENTIALS, '--port', '80a']);
    expect([(await wrong.exited).code, wrong.output]).toEqual([
      2,
      '--port must be a whole number from 0 to 65535, not “80a”. --help lists the options.\n',
    ]);
    const { url } = await startReceiver();
    const second = await start('receiver', [...CREDENTIALS, '--port', new URL(url).port]);
    expect([(await second.exited).code, second.output]).toEqual([
      1,
      expect.stringContaining('Choose another --port.'),
    ]);
  });
});

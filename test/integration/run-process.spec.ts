import { describe, expect, it } from 'vitest';
import { RunningCommand } from '#test/support/running-command';
import { newKey } from '#test/support/system';
import { createTestDatabase } from '#test/support/test-database';
import { waitUntil } from '#test/support/wait-until';

/** Starts a process around `runProcess`, which writes a line each time it is asked to stop. */
async function processThatStops(stop: string, stopWithinMs: number): Promise<RunningCommand> {
  const command = await RunningCommand.start({
    file: process.execPath,
    args: [
      '--input-type=module',
      '-e',
      `import { runProcess } from '#libs/config';
       const work = setInterval(() => {}, 1_000);
       const stop = async () => { console.log('stopping'); await (${stop})(); };
       runProcess(async () => stop, { stopWithinMs: ${stopWithinMs} });
       setImmediate(() => console.log('started'));`,
    ],
  });
  await untilWritten(command, 'started');
  return command;
}

const untilWritten = (command: RunningCommand, text: string): Promise<true> =>
  waitUntil(() => command.output.includes(text), { what: `the output "${text}"` });

describe('process that received a stop signal', () => {
  it.each([
    ['hangs', '() => new Promise(() => {})'],
    ['hangs with an empty event loop', '() => { clearInterval(work); return new Promise(() => {}); }'],
  ])('a process exits with status 1 and one line when its stop %s', async (_how, stop) => {
    const command = await processThatStops(stop, 300);
    expect(await command.end('SIGTERM')).toEqual({ code: 1, signal: null });
    expect(command.output).toBe('started\nstopping\nnot stopped 300 ms after SIGTERM: giving up\n');
  });

  it('a process stops once when it receives several signals, and exits with status 0', async () => {
    const command = await processThatStops(
      `() => new Promise((resolve) => process.on('SIGUSR2', () => resolve()))`,
      20_000,
    );
    command.signal('SIGTERM');
    await untilWritten(command, 'stopping');
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGTERM', 'SIGINT'] as const) command.signal(signal);
    expect(await command.end('SIGUSR2')).toEqual({ code: 0, signal: null });
    expect(command.output).toBe('started\nstopping\n');
  });
});

describe('command with a wrong configuration', () => {
  const outputOf = async (file: string, args: readonly string[], env: object): Promise<string> => {
    const command = await RunningCommand.start({
      file: process.execPath,
      args: [`dist/apps/${file}.js`, ...args],
      env: { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'], QUEUE_BACKEND: 'postgres', ...env },
    });
    expect(await command.exited).toEqual({ code: 1, signal: null });
    return command.output;
  };

  it('a command reports a database problem or a wrong option in two lines, without a password', async () => {
    const database = await createTestDatabase();
    const wrong = new URL(database.url);
    wrong.password = 'not-its-password';
    const [unreachable, refused, unknown] = await Promise.all([
      outputOf('api/migrate', [], { DATABASE_URL: 'postgres://app@localhost:9/none' }),
      outputOf('api/migrate', [], { DATABASE_URL: wrong.href }),
      outputOf('api/reencrypt', ['--dryrun'], {}),
    ]);
    await database.drop();
    expect(unreachable).toMatch(/ECONNREFUSED.*\nPostgreSQL is unreachable: .*DATABASE_URL.*\n$/);
    expect(refused).toMatch(/^password authentication failed.*\nCorrect .*DATABASE_URL.*\n$/);
    expect(unknown).toMatch(/^Unknown option '--dryrun'.*\nREADME\.md and .*\n$/);
  });

  it.each([
    ['api', 'redis'],
    ['api', 'postgres'],
    ['worker', 'redis'],
    ['worker', 'postgres'],
  ])(
    '%s with the queue on %s exits at once with advice when the database password or name is wrong',
    async (app, backend) => {
      const database = await createTestDatabase();
      const password = new URL(database.url);
      password.password = 'not-its-password';
      const name = new URL(database.url);
      name.pathname = '/not-its-name';
      const env = {
        SECRETS_KEYRING: newKey('k1'),
        ADMIN_API_KEY: 'a'.repeat(32),
        QUEUE_BACKEND: backend,
        ...(backend === 'redis' ? { REDIS_URL: process.env['TEST_REDIS_URL'] } : {}),
        HOST: '127.0.0.1',
        PORT: '1',
      };
      const faults = await Promise.all(
        [password, name].map(({ href }) => outputOf(`${app}/main`, [], { ...env, DATABASE_URL: href })),
      );
      await database.drop();
      for (const fault of faults) {
        // The log and the error are two streams, which arrive in either order.
        const log = /.*"msg":"process\.starting"\}\n/;
        expect(fault).toMatch(log);
        expect(fault.replace(log, '')).toMatch(
          /^(password authentication failed|database ".*" does not exist).*\nCorrect .*DATABASE_URL.*\n$/,
        );
      }
    },
  );
});

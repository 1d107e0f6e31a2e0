import { expect, test } from 'vitest';
import { join } from 'node:path';
import { RunningCommand } from '#test/support/running-command';

const PROJECT = join(import.meta.dirname, '../..');

/** The lines that the demo prints. The log level is warn, so that a warning during a normal stop fails the test. */
const DEMO_LINE =
  /^(|The dispatcher is up on http:\S+, its queue on (postgres|redis)\.| *\d+\.\d\d s .+|demo: .+)$/;

test.each([
  { queue: 'PostgreSQL, with nothing else installed', redis: undefined },
  { queue: 'Redis', redis: process.env['TEST_REDIS_URL'] },
])(
  'the demo delivers and verifies all 8 notifications on $queue and prints no warning',
  async ({ redis }) => {
    const { PATH, HOME, TMPDIR } = process.env;
    const demo = await RunningCommand.start({
      file: 'npm',
      args: ['run', '--silent', 'demo', '--', '--once'],
      cwd: PROJECT,
      env: { PATH, HOME, TMPDIR, LOG_LEVEL: 'warn', ...(redis === undefined ? {} : { REDIS_URL: redis }) },
    });
    expect({ exit: await demo.exited, output: demo.output }).toEqual({
      exit: { code: 0, signal: null },
      output: expect.stringMatching(/\ndemo: 8 accepted, 8 delivered, 8 verified\n$/),
    });
    expect(demo.output.split('\n').filter((line) => !DEMO_LINE.test(line))).toEqual([]);
  },
);

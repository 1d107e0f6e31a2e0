import { expect, test } from 'vitest';
import { join } from 'node:path';
import { RunningCommand } from '#test/support/running-command';

const DEMO = join(import.meta.dirname, '../../dist/apps/standalone/src/demo/main.js');

/** Lines of the story, and no others: warnings are let through here, so that one that comes at a sound end is seen. */
const STORY =
  /^(|The dispatcher is up on http:\S+, its queue on (postgres|redis)\.| *\d+\.\d\d s .+|demo: .+)$/;

test.each([
  { queue: 'PostgreSQL, with nothing else installed', redis: undefined },
  { queue: 'Redis', redis: process.env['TEST_REDIS_URL'] },
])('the demo tells its whole story on $queue, and nothing beside it', async ({ redis }) => {
  const { PATH, HOME, TMPDIR } = process.env;
  const demo = await RunningCommand.start({
    file: process.execPath,
    args: [DEMO, '--once'],
    env: { PATH, HOME, TMPDIR, LOG_LEVEL: 'warn', ...(redis === undefined ? {} : { REDIS_URL: redis }) },
  });
  expect({ exit: await demo.exited, output: demo.output }).toEqual({
    exit: { code: 0, signal: null },
    output: expect.stringMatching(/\ndemo: 8 accepted, 8 delivered, 8 verified\n$/),
  });
  expect(demo.output.split('\n').filter((line) => !STORY.test(line))).toEqual([]);
});

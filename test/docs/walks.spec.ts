import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blocksOf, lastJson, PageSession, shapeOf, type Block } from '#test/support/documented-page';
import { freePort } from '#test/support/free-port';
import { temporaryFolder, type TemporaryFolder } from '#test/support/temporary-folder';
import { createTestDatabase, type TestDatabase } from '#test/support/test-database';
import { waitUntil } from '#test/support/wait-until';

const PROJECT = join(import.meta.dirname, '../..');
const README = blocksOf('README.md').filter(({ language }) => language === 'sh');
const START = README.find(({ text }) => text.includes('npm start'));

let folder: TemporaryFolder;
let database: TestDatabase;
let dispatcher: PageSession;
let ports: Record<string, number>;
let KEY: string;
const sessions: PageSession[] = [];

/** The command prints output of the documented shape. A read is repeated, since a delivery takes a moment. */
async function expectOutput(session: PageSession, { text, expected }: Block): Promise<void> {
  if (expected === undefined) return void (await session.run(text));
  const sample: unknown = JSON.parse(expected);
  const isReading = /^(api|curl) /.test(text) && !text.includes('-d ');
  const check = async (): Promise<true> => {
    expect(shapeOf(lastJson(await session.run(text)), sample)).toEqual(shapeOf(sample, sample));
    return true;
  };
  await (isReading ? waitUntil(check, { what: `the documented output of:\n${text}` }) : check());
}

const newSession = (env: NodeJS.ProcessEnv): PageSession => {
  const session = PageSession.start(folder.path, env, ports);
  sessions.push(session);
  return session;
};

beforeAll(async () => {
  folder = await temporaryFolder('walks');
  database = await createTestDatabase();
  ports = { 3000: await freePort(), 8080: await freePort() };
  dispatcher = newSession({
    PORT: String(ports['3000']),
    DATABASE_URL: database.url,
    DATA_DIR: join(folder.path, 'data'),
    LOG_LEVEL: 'warn',
  });
  await dispatcher.run(`cd ${PROJECT}`);
  await dispatcher.run(`${START?.text.trim() ?? ''} &`);
  KEY = await waitUntil(() => /shown this once: (\S+)/.exec(dispatcher.printed)?.[1], {
    what: () => `the admin key in:\n${dispatcher.printed}`,
  });
});
afterAll(async () => {
  await Promise.all(sessions.map((session) => session.end()));
  await database.drop();
  await folder.remove();
});

describe('docs/producer-quickstart.md', () => {
  const blocks = blocksOf('docs/producer-quickstart.md');
  const hasJava = spawnSync('java', ['-version']).status === 0;

  // Before the README's consumer is registered: the page's events have no consumer yet.
  test('each command and program of docs/producer-quickstart.md prints the documented output', async () => {
    const session = newSession({ KEY });
    expect(blocks.filter(({ language }) => language !== 'sh').map(({ language }) => language)).toEqual([
      'ts',
      'java',
    ]);
    if (!hasJava) process.stdout.write('The Java example is skipped: java is not on the PATH.\n');
    for (const block of blocks) {
      if (!hasJava && /\bjava\b/i.test(block.language + block.text)) continue;
      if (block.language === 'sh') await expectOutput(session, block);
      else session.write(block);
    }
  });
});

describe('README.md', () => {
  test('README.md begins with the two commands for a newcomer', () => {
    expect(README[0]?.text).toMatch(/^npm install && npm run demo\b.*\nnpm install && npm test\b/);
  });

  test('each command for the first notification in README.md prints the documented output', async () => {
    const session = newSession({ KEY });
    const steps = README.slice(README.findIndex((block) => block === START) + 1);
    expect(steps.filter(({ expected }) => expected !== undefined)).toHaveLength(3);
    for (const step of steps) await expectOutput(session, step);
  });
});

import { expect, test } from 'vitest';
import { RunningCommand } from '#test/support/running-command';

const PROJECT = new URL('../..', import.meta.url).pathname;

/** Loads `shareSlots` of the build with this text of it replaced. @returns what it prints */
async function shareOf10(text: string): Promise<string> {
  const file = '/apps/worker/src/session/share-slots.js';
  const command = await RunningCommand.start({
    file: process.execPath,
    cwd: PROJECT,
    args: [
      '--input-type=module',
      '-e',
      `import { replaceInModule } from '#test/chaos/planted/replace-in-module';
       replaceInModule('${file}', ${JSON.stringify(text)}, 'const left_0 = 0;');
       const { shareSlots } = await import('#apps/worker/src/session/share-slots').catch((error) => {
         console.log(error.message);
         process.exit();
       });
       console.log(JSON.stringify(shareSlots(10, [4, 4])));`,
    ],
  });
  await command.exited;
  return command.output.trim();
}

test('a planted fault replaces the text of a module that the process loads later', async () => {
  expect(await shareOf10('shares[index] = (shares[index] ?? 0) + given;')).toBe('[0,0]');
});

test('a fault cannot be planted where the module does not have its text', async () => {
  expect(await shareOf10('no such text')).toMatch(/share-slots\.js has “no such text” 0 times, not once$/);
});

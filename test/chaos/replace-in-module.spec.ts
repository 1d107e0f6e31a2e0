import { expect, test } from 'vitest';
import { RunningCommand } from '#test/support/running-command';

const PROJECT = new URL('../..', import.meta.url).pathname;

/** Loads `divideSlots` of the build with this text of it replaced. @returns what it prints */
async function sharesOf10(text: string): Promise<string> {
  const file = '/apps/worker/src/session/slots.js';
  const command = await RunningCommand.start({
    file: process.execPath,
    cwd: PROJECT,
    args: [
      '--input-type=module',
      '-e',
      `import { replaceInModule } from '#test/chaos/planted/replace-in-module';
       replaceInModule('${file}', ${JSON.stringify(text)}, 'const left_0 = 0;');
       const { divideSlots } = await import('#apps/worker/src/session/slots').catch((error) => {
         console.log(error.message);
         process.exit();
       });
       console.log(JSON.stringify(divideSlots(10, [{ inFlight: 0, busy: 0, wants: 4, isProven: true }])));`,
    ],
  });
  await command.exited;
  return command.output.trim();
}

test('a planted fault replaces the text of a module that the process loads later', async () => {
  expect(await sharesOf10('shares[index] = (shares[index] ?? 0) + given;')).toBe('[0]');
});

test('a fault cannot be planted where the module does not have its text', async () => {
  expect(await sharesOf10('no such text')).toMatch(/slots\.js has “no such text” 0 times, not once$/);
});

import { describe, expect, it } from '@jest/globals';
import { RunningCommand } from '#test/support/running-command';
import { waitUntil } from '#test/support/wait-until';

/** A process of its own around `runProcess`; it writes a line each time that it is told to stop. */
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
  await hasWritten(command, 'started');
  return command;
}

const hasWritten = (command: RunningCommand, text: string): Promise<true> =>
  waitUntil(() => command.output.includes(text), { what: `"${text}"` });

describe('a process that was told to stop', () => {
  it.each([
    ['hangs', '() => new Promise(() => {})'],
    ['waits for nothing', '() => { clearInterval(work); return new Promise(() => {}); }'],
  ])('ends with status 1 and one line when its stop %s', async (_how, stop) => {
    const command = await processThatStops(stop, 300);
    expect(await command.end('SIGTERM')).toEqual({ code: 1, signal: null });
    expect(command.output).toBe('started\nstopping\nnot stopped 300 ms after SIGTERM: giving up\n');
  });

  it('stops once however many signals come, and ends with status 0', async () => {
    const command = await processThatStops(
      `() => new Promise((resolve) => process.on('SIGUSR2', () => resolve()))`,
      20_000,
    );
    command.signal('SIGTERM');
    await hasWritten(command, 'stopping');
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGTERM', 'SIGINT'] as const) command.signal(signal);
    expect(await command.end('SIGUSR2')).toEqual({ code: 0, signal: null });
    expect(command.output).toBe('started\nstopping\n');
  });
});

import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ServerLog } from './server-log.js';

describe('ServerLog', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'server-log-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('keeps at most two files of the limit, with the newest lines, for its own account only', () => {
    const file = join(folder, 'server.log');
    const first = new ServerLog(file, 100);
    for (let line = 0; line < 12; line += 1)
      first.write(Buffer.from(`line ${String(line).padStart(2, '0')} of log\n`));
    // A new process continues the file.
    const second = new ServerLog(file, 100);
    for (let line = 12; line < 20; line += 1) second.write(Buffer.from(`line ${line} of log\n`));
    const text = readFileSync(`${file}.1`, 'utf8') + readFileSync(file, 'utf8');
    expect(text).toMatch(/^line \d+ of log\n(.*\n)*line 18 of log\nline 19 of log\n$/);
    expect(statSync(file).size).toBeLessThanOrEqual(100);
    expect(statSync(`${file}.1`).size).toBeLessThanOrEqual(100);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('ignores a file that cannot be written', () => {
    const file = join(folder, 'missing', 'server.log');
    const log = new ServerLog(file, 100);
    log.write(Buffer.from('a line\n'));
    expect(existsSync(file)).toBe(false);
  });
});

import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const PROGRAMS = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];

/** The path of Chromium. Its headless shell comes first: it needs less than half of the processor time. */
export function chromiumPath(): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const found = PROGRAMS.flatMap((program) => folders.map((folder) => join(folder, program))).find(
    existsSync,
  );
  if (found === undefined) throw new Error(`None of ${PROGRAMS.join(', ')} is on the PATH.`);
  return found;
}

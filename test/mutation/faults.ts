import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A fault that is planted by replacing a text of one source file. */
export interface Fault {
  readonly area: string;
  readonly name: string;
  readonly file: string;
  readonly text: string;
  readonly replacement: string;
  /** Spec files without `.spec.ts`, the cheapest first. */
  readonly specs: readonly string[];
}

/** The lines of faults.txt. */
export const FAULTS: readonly Fault[] = readFileSync(join(import.meta.dirname, 'faults.txt'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => {
    const [area = '', name = '', file = '', text = '', replacement = '', specs = '', ...more] =
      line.split(' | ');
    if (specs === '' || more.length > 0) throw new Error(`not six fields: ${line}`);
    const unescaped = text.replaceAll(String.raw`\n`, '\n');
    return {
      area,
      name,
      file,
      text: unescaped,
      replacement: replacement.replaceAll(String.raw`\n`, '\n'),
      specs: specs.split(' '),
    };
  });

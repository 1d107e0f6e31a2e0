import { parseArgs, type ParseArgsConfig } from 'node:util';

type Options = NonNullable<ParseArgsConfig['options']>;

/** A wrong argument, in one sentence for the person at the terminal. */
class UsageError extends Error {
  override readonly name = 'UsageError';
}

/**
 * Runs a command with its options. `--help` prints the usage and ends with 0. A wrong argument prints one line that names
 * it and ends with 2.
 * @param required names of options without which the command does not start
 */
export async function runCommand<const O extends Options>(
  { options, required, usage }: { options: O; required: readonly (keyof O & string)[]; usage: string },
  run: (given: ReturnType<typeof parseArgs<{ options: O }>>['values']) => Promise<void>,
): Promise<void> {
  if (process.argv.includes('--help')) return void process.stdout.write(`${usage}\n`);
  try {
    const { values } = parsed(options);
    const given: Readonly<Record<string, unknown>> = values;
    const missing = required.filter((name) => given[name] === undefined || given[name] === '');
    if (missing.length > 0)
      throw new UsageError(`Missing: ${missing.map((name) => `--${name}`).join(', ')}.`);
    await run(values);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message} --help lists the options.\n`);
    process.exitCode = 2;
  }
}

function parsed<const O extends Options>(options: O) {
  try {
    return parseArgs({ options });
  } catch (error) {
    throw new UsageError(
      error instanceof Error ? `${error.message.split('. ', 1)[0] ?? ''}.` : String(error),
    );
  }
}

/** One of a closed list. */
export function oneOf<T extends string>(name: string, text: string, list: readonly T[]): T {
  const found = list.find((each) => each === text);
  if (found === undefined)
    throw new UsageError(`--${name} must be one of ${list.join(', ')}, not “${text}”.`);
  return found;
}

/** A whole number from 0 to `most`. */
export function wholeNumber(name: string, text: string, most: number): number {
  if (/^\d{1,9}$/.test(text) && Number(text) <= most) return Number(text);
  throw new UsageError(`--${name} must be a whole number from 0 to ${String(most)}, not “${text}”.`);
}

/** A URL in the canonical form that is signed. */
export function registeredUrl(
  name: string,
  canonical: { ok: true; url: string } | { ok: false; message: string },
): string {
  if (canonical.ok) return canonical.url;
  throw new UsageError(`--${name} ${canonical.message}.`);
}

import { registerHooks } from 'node:module';
import type { Replacement } from '#test/chaos/planted-faults';

/** The variable with the replacements, as JSON. */
const REPLACEMENTS = 'CHAOS_REPLACEMENTS';

// Preloaded into a process of the product: replaces text of modules that it loads later. Throws when such a module does not
// have the text exactly once, since a fault that is not planted finds nothing.
const replacements: readonly Replacement[] = JSON.parse(process.env[REPLACEMENTS] ?? '[]');
registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    const { source } = loaded;
    const wanted = replacements.filter(({ file }) => url.endsWith(file));
    if (wanted.length === 0 || source == null) return loaded;
    const whole = typeof source === 'string' ? source : new TextDecoder().decode(source);
    return { ...loaded, source: wanted.reduce(replaced, whole) };
  },
});

function replaced(source: string, { file, text, replacement }: Replacement): string {
  const parts = source.split(text);
  if (parts.length !== 2) throw new Error(`${file} has “${text}” ${parts.length - 1} times, not once`);
  return parts.join(replacement);
}

import { registerHooks } from 'node:module';

/**
 * Replaces text of one module of the build when a process loads it: a function that is no method of an exported class can
 * be changed in no other way from outside. Call it from a module that is loaded before the main file.
 * @param file the end of the module's URL, such as `/apps/worker/src/session/slots.js`
 * @throws when the module is loaded and does not have the text exactly once: a fault that is not planted finds nothing
 */
export function replaceInModule(file: string, text: string, replacement: string): void {
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      const { source } = loaded;
      if (!url.endsWith(file) || source == null) return loaded;
      const whole = typeof source === 'string' ? source : new TextDecoder().decode(source);
      return { ...loaded, source: replaced(whole, { file, text, replacement }) };
    },
  });
}

function replaced(
  source: string,
  { file, text, replacement }: { readonly file: string; readonly text: string; readonly replacement: string },
): string {
  const parts = source.split(text);
  if (parts.length !== 2) throw new Error(`${file} has “${text}” ${parts.length - 1} times, not once`);
  return parts.join(replacement);
}

import { sql, type RawBuilder } from 'kysely';

/**
 * Begins a statement that PostgreSQL parses and plans once a connection instead of at every execution; on the hot path
 * that is as much work as executing it. The comment names the statement, also in `pg_stat_activity`. Only for texts
 * that do not vary: each one that does would be kept for as long as its connection lives.
 */
export const prepared = (name: string): RawBuilder<unknown> => sql.raw(`/* ${name} */`);

const NAMED = /^\s*\/\* ([a-z-]+) \*\//;

/** The same name with another text is another statement: it gets a number. */
const names = new Map<string, string>();

/** The name under which a text is to be prepared; undefined when it is not. */
export function preparedName(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined) return known;
  const label = NAMED.exec(text)?.[1];
  if (label === undefined) return undefined;
  const name = `${label}-${String(names.size)}`;
  names.set(text, name);
  return name;
}

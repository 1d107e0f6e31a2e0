/**
 * Arrays as columns for `unnest`: one parameter a column keeps a statement's text, and so its plan, the same
 * whatever the number of rows.
 */
export function column<T, V>(rows: readonly T[], pick: (row: T) => V): V[] {
  return rows.map(pick);
}

/** An array inside such a column: PostgreSQL's literal form, since a nested array would be flattened. */
export function arrayLiteral(values: readonly string[]): string {
  return `{${values.map((value) => `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`).join(',')}}`;
}

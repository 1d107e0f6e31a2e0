/** Tables that grow with the payments: whoever locks one for as long as it is read stops accepting or sending. */
const BIG = 'events|deliveries|attempts|pending_deliveries|payments|idempotency_keys|stats_minutes|audit_log';

interface Rule {
  readonly pattern: RegExp;
  readonly why: string;
}

const THE_FORMER_USES_IT = 'the former release still uses it: remove it in the release after';

const RULES: readonly Rule[] = [
  { pattern: /\bdrop (table|view|function|type|trigger)\b/, why: THE_FORMER_USES_IT },
  {
    pattern: /\balter table\b.*\bdrop (?!constraint|not null|default|expression|identity)\w/,
    why: THE_FORMER_USES_IT,
  },
  { pattern: /\brename\b/, why: 'the former release knows the old name: add the new one beside it' },
  {
    pattern: /\balter (column )?\w+ (set data )?type\b/,
    why: 'it rewrites the table under a lock, and the former release expects the old type: add a column',
  },
  { pattern: /\bset not null\b/, why: 'the former release may write null' },
  {
    pattern: /\badd column (if not exists )?\w+ (?=[^,]*\bnot null\b)(?![^,]*\b(default|generated)\b)/,
    why: 'the former release does not write it: give it a default',
  },
  {
    pattern: /\badd column [^,]*\bdefault (\(?(clock_timestamp|gen_random_uuid|uuidv7|random|nextval)\b)/,
    why: 'a default that differs from row to row rewrites the table under a lock',
  },
  {
    pattern: /\badd (constraint \w+ )?(check|foreign key|unique|primary key)\b(?!.*\bnot valid\b)/,
    why: 'it reads the whole table under a lock: add it not valid, validate it in a later migration',
  },
  {
    pattern: new RegExp(`\\bcreate (unique )?index (if not exists )?\\w+ on (?!only )(${BIG})\\b`),
    why: 'nobody writes to the table until it is built: build it concurrently, after the migrations',
  },
  {
    pattern: new RegExp(`\\b(update|delete from|truncate( table)?|lock( table)?) (only )?(${BIG})\\b`),
    why: 'it holds its locks until the migrations are committed: work through it in small batches, by a schedule',
  },
];

/** Creates a table in the same migration: nobody else knows it yet. */
const CREATES = /\bcreate table (if not exists )?(\w+)/;

/**
 * What in a migration's statements would stop, or break, processes of the former release that serve meanwhile.
 * A net of the usual mistakes and no proof: that is the test that starts the former release on the new schema.
 */
export function unsafeWhileServing(statements: readonly string[]): string[] {
  const plain = statements.map((statement) =>
    statement.replaceAll(/--.*$/gm, '').replaceAll('"', '').replaceAll(/\s+/g, ' ').trim().toLowerCase(),
  );
  const fresh = new Set(plain.flatMap((statement) => CREATES.exec(statement)?.[2] ?? []));
  return plain.flatMap((statement) => {
    const table = /\b(?:alter table|on|update|delete from) (?:if exists )?(?:only )?(\w+)/.exec(
      statement,
    )?.[1];
    if (CREATES.test(statement) || (table !== undefined && fresh.has(table))) return [];
    return RULES.filter(({ pattern }) => pattern.test(statement)).map(({ why }) => `${statement}: ${why}`);
  });
}

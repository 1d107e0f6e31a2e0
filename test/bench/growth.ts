import type { Client } from 'pg';

/** What a load has added. */
export interface Growth {
  /** Bytes by table: rows, indexes and TOAST of all its partitions. */
  readonly bytes: ReadonlyMap<string, number>;
  readonly walBytes: number;
}

/** Bytes that a load has added to a table. @throws for an unknown table */
export function bytesOf({ bytes }: Growth, table: string): number {
  const added = bytes.get(table);
  if (added === undefined) throw new Error(`there is no table ${table}`);
  return added;
}

/** Runs a load and measures what it adds. */
export async function growthOf(sql: Client, load: () => Promise<void>): Promise<Growth> {
  const [bytesBefore, walBefore] = [await tableBytes(sql), await walBytesNow(sql)];
  await load();
  const [bytes, wal] = [await tableBytes(sql), await walBytesNow(sql)];
  return {
    bytes: new Map([...bytes].map(([table, size]) => [table, size - (bytesBefore.get(table) ?? 0)])),
    walBytes: wal - walBefore,
  };
}

/** Bytes of write-ahead log that PostgreSQL has written so far. */
export async function walBytesNow(sql: Client): Promise<number> {
  const { rows } = await sql.query<{ wal: number }>(
    "select (pg_current_wal_insert_lsn() - '0/0')::float8 as wal",
  );
  return rows[0]?.wal ?? 0;
}

async function tableBytes(sql: Client): Promise<Map<string, number>> {
  const { rows } = await sql.query<{ name: string; bytes: number }>(
    `select root.relname as name, sum(pg_total_relation_size(coalesce(part.relid, root.oid)))::float8 as bytes
     -- A table without partitions has no tree.
     from pg_class root left join lateral pg_partition_tree(root.oid) part on true
     where root.relkind in ('r', 'p') and root.relnamespace = 'public'::regnamespace and not root.relispartition
     group by root.relname`,
  );
  return new Map(rows.map(({ name, bytes }) => [name, bytes]));
}

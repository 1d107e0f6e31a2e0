import { Client } from 'pg';
import { bodyOf } from '#test/bench/pipeline/bodies';
import { nowMs } from '#test/bench/pipeline/clock';

const ROWS = 200;

/** The limit of committing: whole bodies, 200 a statement, into a table with nothing but a primary key. @returns rows a second */
export async function bareInserts(url: string, seconds: number): Promise<number> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query('create table bare_bodies (id bigint primary key, body text not null)');
  const startedAt = nowMs();
  let rows = 0;
  while (nowMs() - startedAt < seconds * 1_000) {
    const first = rows;
    rows += ROWS;
    const ids = Array.from({ length: ROWS }, (_, index) => first + index);
    await client.query({
      name: 'bare-insert',
      text: 'insert into bare_bodies select * from unnest($1::bigint[], $2::text[])',
      values: [ids, ids.map((n) => bodyOf(n, 'bare', ['BARE']))],
    });
  }
  const perSecond = rows / ((nowMs() - startedAt) / 1_000);
  await client.query('drop table bare_bodies');
  await client.end();
  return perSecond;
}

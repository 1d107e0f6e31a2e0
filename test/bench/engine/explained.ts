import { ConsumersReadingDatabase, Database, ReadingDatabase } from '#libs/database';
import { sql } from 'kysely';
import pg from 'pg';

/** A node of PostgreSQL's plan, as far as it is read here (`EXPLAIN (FORMAT JSON)`). */
interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'CTE Name'?: string;
  readonly 'Subplan Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Filter?: string;
  readonly Operation?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly 'Shared Hit Blocks'?: number;
  readonly 'Shared Read Blocks'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** What one statement cost. */
export interface Explained {
  readonly query: string;
  readonly ms: number;
  /** Rows that scans of tables and indexes came by, those that a filter threw away included. */
  readonly rowsRead: number;
  readonly rowsByRelation: Readonly<Record<string, number>>;
  readonly buffers: number;
  readonly plan: readonly string[];
}

/** Every pool that lists are read from, over the same connections. */
export interface Pools {
  readonly db: Database;
  readonly reading: ReadingDatabase;
  readonly consumersReading: ConsumersReadingDatabase;
}

export const poolsOver = (pool: pg.Pool): Pools => ({
  db: new Database(pool),
  reading: new ReadingDatabase(pool),
  consumersReading: new ConsumersReadingDatabase(pool),
});

/**
 * A database handle of one connection that tells the plan of every statement it runs, with what was read: auto_explain
 * sends it as a message of the server. So the product's own functions are explained as they are.
 */
export class ExplainingDatabase {
  private readonly told: Explained[] = [];

  static async open(url: string): Promise<ExplainingDatabase> {
    const pool = new pg.Pool({ connectionString: url, max: 1 });
    const explaining = new ExplainingDatabase(poolsOver(pool));
    pool.on('connect', (client) => client.on('notice', ({ message }) => explaining.hear(message ?? '')));
    for (const setting of [
      `load 'auto_explain'`,
      'set auto_explain.log_analyze = on',
      'set auto_explain.log_buffers = on',
      'set auto_explain.log_format = json',
      'set auto_explain.log_min_duration = 0',
      'set client_min_messages = log',
    ])
      await sql.raw(setting).execute(explaining.db);
    return explaining;
  }

  private readonly db: Database;

  private constructor(private readonly pools: Pools) {
    this.db = pools.db;
  }

  /** Runs work in a transaction that is rolled back, and returns what its statements cost and what it answered. */
  async explain<T>(work: (pools: Pools) => Promise<T>): Promise<{ statements: Explained[]; answer: T }> {
    await sql`begin`.execute(this.db);
    this.told.length = 0;
    try {
      const answer = await work(this.pools);
      // Inside a transaction the server ends a statement, and tells its plan, when the next one comes.
      await sql`select 1 where ${true}`.execute(this.db);
      return { statements: this.told.splice(0), answer };
    } finally {
      await sql`rollback`.execute(this.db);
    }
  }

  async close(): Promise<void> {
    await this.db.destroy();
  }

  private hear(message: string): void {
    const [, duration, json] = /^duration: ([\d.]+) ms {2}plan:\n(.*)$/s.exec(message) ?? [];
    if (duration === undefined || json === undefined) return;
    if (json.includes('"Query Text": "select 1 where')) return;
    const { 'Query Text': query, Plan }: { 'Query Text': string; Plan: PlanNode } = JSON.parse(json);
    const rowsByRelation: Record<string, number> = {};
    const plan: string[] = [];
    walk(Plan, 0, (node, depth) => {
      plan.push(describe(node, depth));
      const relation = node['Relation Name'] ?? node['Index Name'];
      if (relation === undefined || !node['Node Type'].includes('Scan')) return;
      // A bitmap's index scan has counted the rows that its heap scan fetches.
      if (node['Node Type'] === 'Bitmap Index Scan') return;
      rowsByRelation[relation] = (rowsByRelation[relation] ?? 0) + rowsOf(node);
    });
    const rowsRead = Object.values(rowsByRelation).reduce((sum, rows) => sum + rows, 0);
    const buffers = (Plan['Shared Hit Blocks'] ?? 0) + (Plan['Shared Read Blocks'] ?? 0);
    this.told.push({ query, ms: Number(duration), rowsRead, rowsByRelation, buffers, plan });
  }
}

function walk(node: PlanNode, depth: number, visit: (node: PlanNode, depth: number) => void): void {
  visit(node, depth);
  for (const child of node.Plans ?? []) walk(child, depth + 1, visit);
}

/** PostgreSQL shows rows a loop, on average. */
function rowsOf(node: PlanNode): number {
  const aLoop =
    node['Actual Rows'] +
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0);
  return Math.round(aLoop * node['Actual Loops']);
}

/** One line: what it does, on what, how many rows how often. */
function describe(node: PlanNode, depth: number): string {
  const on = node['Relation Name'] ?? node['CTE Name'];
  const index = node['Index Name'];
  const removed = node['Rows Removed by Filter'];
  return [
    '  '.repeat(depth),
    node['Subplan Name'] === undefined ? '' : `${node['Subplan Name']}: `,
    node['Node Type'] === 'ModifyTable' ? (node.Operation ?? 'ModifyTable') : node['Node Type'],
    on === undefined ? '' : ` on ${on}`,
    index === undefined ? '' : ` by ${index}`,
    ` (${String(node['Actual Rows'])} rows`,
    node['Actual Loops'] === 1 ? '' : ` x ${String(node['Actual Loops'])}`,
    removed === undefined || removed === 0 ? '' : `, ${String(removed)} thrown away`,
    ')',
  ].join('');
}

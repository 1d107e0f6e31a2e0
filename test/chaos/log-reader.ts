interface LogLine {
  msg?: string;
  kind?: string;
  count?: number;
}

const NO_SPACE = 'No space left on device';

/** Reads what is logged: what reconcile had to put right, and what PostgreSQL found no room for. */
export class LogReader {
  /** How often PostgreSQL has complained of a full disk. */
  noSpaceErrors = 0;
  /** Answers that came after another session of the consumer had been opened, and were not recorded. */
  refusedRecords = 0;
  private readonly manyOfKind = new Map<string, number>();

  /** One line of a process. What is no JSON is somebody else's. */
  read(line: string): void {
    if (line.includes('"session.fenced"')) this.refusedRecords += 1;
    if (!line.includes('"queue.reconciled"')) return;
    const { msg, kind = 'unknown', count = 1 } = parsed(line);
    if (msg !== 'queue.reconciled') return;
    this.manyOfKind.set(kind, (this.manyOfKind.get(kind) ?? 0) + count);
  }

  /** A piece of PostgreSQL's log. */
  readPostgres(text: string): void {
    this.noSpaceErrors += text.split(NO_SPACE).length - 1;
  }

  /** How many consumers (`overdue`, `secret`) or deliveries (`removed_consumer`) reconcile put right, by kind. */
  get reconciled(): Record<string, number> {
    return Object.fromEntries(this.manyOfKind);
  }
}

function parsed(line: string): LogLine {
  try {
    const value: LogLine = JSON.parse(line);
    return value;
  } catch {
    return {};
  }
}

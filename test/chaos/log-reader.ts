interface LogLine {
  msg?: string;
  kind?: string;
  count?: number;
}

const NO_SPACE = 'No space left on device';

/** Counts reconciled jobs, fenced sessions and writes that failed on a full disk in the logs. */
export class LogReader {
  /** PostgreSQL's errors because of a full disk. */
  noSpaceErrors = 0;
  /** Results that were not recorded because another session of the consumer had been opened. */
  refusedRecords = 0;
  private readonly countByKind = new Map<string, number>();

  /** Reads one line of a process; ignores lines that are not JSON. */
  read(line: string): void {
    if (line.includes('"session.fenced"')) this.refusedRecords += 1;
    if (!line.includes('"jobs.reconciled"')) return;
    const { msg, kind = 'unknown', count = 1 } = parsed(line);
    if (msg !== 'jobs.reconciled') return;
    this.countByKind.set(kind, (this.countByKind.get(kind) ?? 0) + count);
  }

  /** Reads a piece of PostgreSQL's log. */
  readPostgres(text: string): void {
    this.noSpaceErrors += text.split(NO_SPACE).length - 1;
  }

  /** Consumers (`overdue`, `secret`) and deliveries (`removed_consumer`) that reconcile has handled, by kind. */
  get reconciled(): Record<string, number> {
    return Object.fromEntries(this.countByKind);
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

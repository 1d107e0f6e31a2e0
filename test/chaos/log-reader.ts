interface LogLine {
  msg?: string;
  kind?: string;
  deliveries?: number;
}

/** Reads what the processes log: of interest is what the reconciler had to put right. */
export class LogReader {
  private readonly deliveriesOfKind = new Map<string, number>();

  /** One line of a process. What is no JSON is somebody else's. */
  read(line: string): void {
    if (!line.includes('"reconciled"')) return;
    const { msg, kind = 'unknown', deliveries = 1 } = parsed(line);
    if (msg !== 'reconciled') return;
    this.deliveriesOfKind.set(kind, (this.deliveriesOfKind.get(kind) ?? 0) + deliveries);
  }

  /** How many deliveries the reconciler touched, by kind. */
  get reconciled(): Record<string, number> {
    return Object.fromEntries(this.deliveriesOfKind);
  }

  /** Lanes that the reconciler released; a correct engine releases each itself. */
  get repairs(): number {
    return this.deliveriesOfKind.get('order') ?? 0;
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

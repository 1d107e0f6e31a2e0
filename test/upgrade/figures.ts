import type { RequestObserver } from '#test/chaos/producers';

interface Phase {
  readonly name: string;
  readonly begunAtMs: number;
  events: number;
  /** Tries without an answer, which are repeated at another api. */
  retries: number;
  /** Answers other than 202. */
  refused: number;
  readonly tookMs: number[];
}

const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

/** What producers saw in each phase of a run. A request counts in the phase in which it is accepted. */
export class Figures implements RequestObserver {
  private readonly phases: Phase[] = [];

  constructor(private readonly log: (line: string) => void) {}

  begin(name: string): void {
    this.log(name);
    this.phases.push({ name, begunAtMs: performance.now(), events: 0, retries: 0, refused: 0, tookMs: [] });
  }

  accepted(events: number, tookMs: number): void {
    const phase = this.phases.at(-1);
    if (phase === undefined) return;
    phase.events += events;
    phase.tookMs.push(tookMs);
  }

  failed(status: number | undefined): void {
    const phase = this.phases.at(-1);
    if (phase !== undefined) phase[status === undefined ? 'retries' : 'refused'] += 1;
  }

  get refused(): number {
    return this.phases.reduce((sum, { refused }) => sum + refused, 0);
  }

  /** Of the slowest phase, in milliseconds: from the first try to the 202. */
  get p99Ms(): number {
    return Math.max(
      ...this.phases.map(({ tookMs }) =>
        percentile(
          tookMs.toSorted((a, b) => a - b),
          0.99,
        ),
      ),
    );
  }

  /** A table in Markdown. */
  table(): string {
    const endedAtMs = performance.now();
    const rows = this.phases.map(({ name, begunAtMs, events, retries, refused, tookMs }, index) => {
      const sorted = tookMs.toSorted((a, b) => a - b);
      const seconds = ((this.phases[index + 1]?.begunAtMs ?? endedAtMs) - begunAtMs) / 1_000;
      const shares = [0.5, 0.99, 1].map((share) => percentile(sorted, share).toFixed(0));
      return [name, seconds.toFixed(0), events, ...shares, refused, retries].join(' | ');
    });
    return [
      'phase | seconds | events | p50 of accept, ms | p99 | longest | refused | retried at the other api',
      Array.from({ length: 8 }, () => '---').join(' | '),
      ...rows,
    ]
      .map((row) => `| ${row} |`)
      .join('\n');
  }
}

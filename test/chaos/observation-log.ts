import type { Arrival } from '#test/chaos/observations';

/** What all customers together have seen. */
export class ObservationLog {
  readonly arrivals: Arrival[] = [];
  readonly bodies = new Map<string, Map<string, string>>();
  /** Distinct acknowledged deliveries, as a measure of progress. */
  readonly acknowledged = new Set<string>();
  private readonly openAt = new Map<string, number>();
  private steps = 0;

  /** POSTs that are open right now. */
  get open(): number {
    return [...this.openAt.values()].reduce((sum, open) => sum + open, 0);
  }

  /** Whether this consumer has a POST open right now. */
  isServed(consumer: string): boolean {
    return (this.openAt.get(consumer) ?? 0) > 0;
  }

  /** A POST to this consumer has begun (1) or ended (-1). */
  countOpen(consumer: string, change: 1 | -1): void {
    this.openAt.set(consumer, (this.openAt.get(consumer) ?? 0) + change);
  }

  nextStep(): number {
    return (this.steps += 1);
  }

  keepBody(notificationId: string, hash: string, body: string): void {
    const known = this.bodies.get(notificationId);
    if (known === undefined) this.bodies.set(notificationId, new Map([[hash, body]]));
    else known.set(hash, body);
  }
}

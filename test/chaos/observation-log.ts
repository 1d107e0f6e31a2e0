import type { Arrival } from '#test/chaos/observations';

/** The observations of all consumers. */
export class ObservationLog {
  readonly arrivals: Arrival[] = [];
  readonly bodies = new Map<string, Map<string, string>>();
  /** Keys of acknowledged deliveries. */
  readonly acknowledged = new Set<string>();
  private readonly openAt = new Map<string, number>();
  private sequence = 0;

  /** POSTs in progress now. */
  get open(): number {
    return [...this.openAt.values()].reduce((sum, open) => sum + open, 0);
  }

  /** POSTs to this consumer in progress now. */
  openTo(consumer: string): number {
    return this.openAt.get(consumer) ?? 0;
  }

  /** Whether this consumer has a POST in progress now. */
  isServed(consumer: string): boolean {
    return this.openTo(consumer) > 0;
  }

  /** Notes that a POST to this consumer has begun (1) or ended (-1). */
  countOpen(consumer: string, change: 1 | -1): void {
    this.openAt.set(consumer, this.openTo(consumer) + change);
  }

  nextSequence(): number {
    return (this.sequence += 1);
  }

  keepBody(notificationId: string, hash: string, body: string): void {
    const known = this.bodies.get(notificationId);
    if (known === undefined) this.bodies.set(notificationId, new Map([[hash, body]]));
    else known.set(hash, body);
  }
}

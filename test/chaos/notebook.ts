import type { Arrival } from '#test/chaos/observations';

/** What all customers together have seen. */
export class Notebook {
  readonly arrivals: Arrival[] = [];
  readonly bodies = new Map<string, Map<string, string>>();
  /** POSTs that are open right now. */
  open = 0;
  /** Distinct acknowledged deliveries, as a measure of progress. */
  readonly acknowledged = new Set<string>();
  private steps = 0;

  nextStep(): number {
    return (this.steps += 1);
  }

  keepBody(notificationId: string, hash: string, body: string): void {
    const known = this.bodies.get(notificationId);
    if (known === undefined) this.bodies.set(notificationId, new Map([[hash, body]]));
    else known.set(hash, body);
  }
}

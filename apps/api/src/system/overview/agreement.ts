import { setTimeout as delay } from 'node:timers/promises';
import type { JobCounts } from '#libs/queue';
import type { QueueAgreementDto } from './overview.dto.js';

/** Counts of the queue and of PostgreSQL, read at nearly the same time. */
export interface BothCounts {
  /** Null if the queue did not answer in time. */
  readonly queue: JobCounts | null;
  /** Number of consumers with work that has been due for five seconds, and that no worker reports to serve. */
  readonly overdueConsumers: number;
}

/** Maximum number of comparisons, and the pause between them: the counts change while they are read. */
const TRIES = 3;
const APART_MS = 200;

/** Compares queue and database until they agree, or the tries are used up. */
export async function askAgreement(ask: () => Promise<BothCounts>): Promise<QueueAgreementDto> {
  let agreement = agreementOf(await ask());
  for (let tries = 1; tries < TRIES && agreement.agrees === false; tries += 1) {
    await delay(APART_MS);
    agreement = agreementOf(await ask());
  }
  return agreement;
}

/**
 * Minimum number of consumers without a job: each overdue one should have a waiting job, or one that a worker has
 * just claimed.
 */
export const consumersWithoutJob = ({ waiting, active }: JobCounts, overdueConsumers: number): number =>
  Math.max(0, overdueConsumers - waiting - active);

/**
 * Checks whether the queue has enough jobs for the consumers that need one. It compares numbers, not single jobs, so
 * jobs of other consumers can hide a missing one; reconcile checks each consumer. A job without work is no
 * disagreement: its worker finds nothing to do, and it ends.
 */
export function agreementOf({ queue, overdueConsumers }: BothCounts): QueueAgreementDto {
  const database = { overdueConsumers };
  if (queue === null) {
    const detail =
      'The queue cannot be asked: it does not answer. What is due waits in PostgreSQL until it does.';
    return { agrees: null, detail, queue, database };
  }
  const missing = consumersWithoutJob(queue, overdueConsumers);
  if (missing > 0) {
    const detail = `Consumers with overdue deliveries that have no job: at least ${String(missing)}. Reconcile adds their jobs within 15 seconds.`;
    return { agrees: false, detail, queue, database };
  }
  return {
    agrees: true,
    detail: 'There are enough jobs for all consumers with overdue deliveries.',
    queue,
    database,
  };
}

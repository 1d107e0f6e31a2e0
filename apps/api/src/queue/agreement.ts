import { setTimeout as delay } from 'node:timers/promises';
import type { JobCounts } from '#libs/queue';
import type { QueueAgreementDto } from './queue.dto.js';

/** What both sides say, asked at nearly the same moment. */
export interface BothCounts {
  /** Null when the queue did not answer in time. */
  readonly queue: JobCounts | null;
  /** Consumers that have had something to do for five seconds, and that no worker says it serves. */
  readonly overdueConsumers: number;
}

/** Counts of moving things are compared this often, so long apart, until they meet. */
const TRIES = 3;
const APART_MS = 200;

/** Compares queue and database until they agree, or have had the time to. */
export async function askAgreement(ask: () => Promise<BothCounts>): Promise<QueueAgreementDto> {
  let agreement = agreementOf(await ask());
  for (let tries = 1; tries < TRIES && agreement.agrees === false; tries += 1) {
    await delay(APART_MS);
    agreement = agreementOf(await ask());
  }
  return agreement;
}

/** How many consumers lack a job at least: each that is overdue should have one that waits, or that a worker has just taken. */
export const consumersWithoutJob = ({ waiting, active }: JobCounts, overdueConsumers: number): number =>
  Math.max(0, overdueConsumers - waiting - active);

/**
 * Whether the queue can hold a job for each consumer that needs one. Numbers are compared, not single jobs, so jobs of
 * others may hide a missing one; reconcile looks at each consumer instead. A job without work is no disagreement: its
 * worker finds nothing to do, and it ends.
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

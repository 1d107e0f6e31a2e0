import { setTimeout as delay } from 'node:timers/promises';
import type { Counted } from '#libs/database';
import type { JobCounts } from '#libs/queue';
import type { QueueAgreementDto } from './queue.dto.js';

/** What both sides say, asked at nearly the same moment. */
export interface BothCounts {
  /** Null when the queue did not answer in time. */
  readonly queue: JobCounts | null;
  readonly queued: Counted;
  readonly sending: Counted;
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

/**
 * Whether there is a job for each delivery that is queued or being sent. What workers have in hand changes between the
 * two looks, so as many may differ.
 */
export function agreementOf({ queue, queued, sending }: BothCounts): QueueAgreementDto {
  const database = { queued: queued.count, sending: sending.count };
  if (queue === null) {
    const detail =
      'The queue cannot be asked: it does not answer. What is due waits in PostgreSQL until it does.';
    return { agrees: null, detail, queue, database };
  }
  if (queued.isCapped || sending.isCapped) {
    return { agrees: null, detail: 'There are too many deliveries to count.', queue, database };
  }
  const jobs = queue.waiting + queue.active + queue.delayed;
  const missing = queued.count + sending.count - jobs;
  const inMotion = Math.max(queue.active, sending.count);
  const agrees = Math.abs(missing) <= inMotion;
  const detail = agrees
    ? inMotion === 0
      ? 'Each delivery that is queued or being sent has its job.'
      : `Each delivery has its job, as far as can be told while ${String(inMotion)} are being sent.`
    : missing > 0
      ? `Deliveries that have no job: ${String(missing)}. The reconciler makes their jobs within a sweep.`
      : `Jobs that no delivery needs: ${String(-missing)}. Each ends when it comes to a worker.`;
  return { agrees, detail, queue, database };
}

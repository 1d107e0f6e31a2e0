import { setTimeout as delay } from 'node:timers/promises';
import type { Counted } from '#libs/database';
import { MOST_IN_JOB, type JobCounts } from '#libs/queue';
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

/** By how much they disagree at least, where a number is above 0; see `agreementOf`. */
export function gapBetween(
  { waiting, active, delayed }: JobCounts,
  { queued, sending }: { readonly queued: number; readonly sending: number },
): { readonly withoutJob: number; readonly withoutDelivery: number; readonly inMotion: number } {
  const inMotion = sending + active * MOST_IN_JOB;
  return {
    withoutJob: queued - (delayed + waiting * MOST_IN_JOB) - inMotion,
    withoutDelivery: delayed + waiting - queued - inMotion,
    inMotion,
  };
}

/**
 * Whether the queue can hold a job for each delivery that is queued: what is due later has one of its own, what is due
 * now shares one with up to so many others, and what is being sent needs none. What workers have in hand changes
 * between the two looks, so as many may differ.
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
  const { withoutJob, withoutDelivery, inMotion } = gapBetween(queue, database);
  const detail =
    withoutJob > 0
      ? `Deliveries that have no job: at least ${String(withoutJob)}. The reconciler makes their jobs within a sweep.`
      : withoutDelivery > 0
        ? `Jobs that no delivery needs: ${String(withoutDelivery)}. Each ends when it comes to a worker.`
        : inMotion === 0
          ? 'There are jobs for all deliveries that are queued.'
          : `There are jobs for all deliveries, as far as can be told while ${String(sending.count)} are being sent.`;
  return { agrees: withoutJob <= 0 && withoutDelivery <= 0, detail, queue, database };
}

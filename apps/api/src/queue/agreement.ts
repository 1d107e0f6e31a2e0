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

/**
 * What the numbers of both sides leave open, where one is above 0: how many deliveries lack a job at least, and how many
 * jobs are left over at least. See `agreementOf`.
 */
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
 * Whether the queue can hold a job for each delivery that is queued. Numbers are compared, not single jobs: what is due
 * later has a job of its own, what is due now shares one with up to `MOST_IN_JOB` others, what is being sent needs none.
 * Workers change both sides between the two looks, so as many as they have in hand may differ.
 *
 * Jobs beyond that are no disagreement. When a delivery that waits for a retry is finished, held or released in another
 * way (by a manual retry, a bulk action, a removed consumer), its job stays until it is due, finds nothing to do and ends.
 * Such jobs may hide as many missing ones from these numbers; the reconciler looks at each overdue delivery instead.
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
  if (withoutJob > 0) {
    const detail = `Deliveries that have no job: at least ${String(withoutJob)}. The reconciler makes their jobs within a sweep.`;
    return { agrees: false, detail, queue, database };
  }
  const enough =
    inMotion === 0
      ? 'There are enough jobs for all deliveries that are queued.'
      : `There are enough jobs for all queued deliveries, as far as the numbers show while ${String(sending.count)} are being sent.`;
  const leftOver =
    withoutDelivery > 0
      ? ` Jobs left over, at least: ${String(withoutDelivery)}. They are harmless: their deliveries went another way meanwhile, and each job ends when it is due.`
      : '';
  return { agrees: true, detail: `${enough}${leftOver}`, queue, database };
}

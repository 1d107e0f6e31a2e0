import { admit, type Admission } from '#libs/delivery';
import { sql } from 'kysely';
import type { Database } from '../connection.js';
import { lockForAdmission, readAdmissionFacts } from '../delivering/admission-facts.js';
import { applyAdmissions } from '../delivering/apply-admissions.js';
import type { ReleasedAtGate } from '../gates/release-held.js';

/** What goes after a person's act, once it is committed. */
export interface SentOn {
  /** Want a job. */
  readonly queued: readonly ReleasedAtGate[];
  /** Consumers of those that are on hold: what held them may be over by the commit, and their places are free. */
  readonly atGateOf: readonly string[];
}

/**
 * Puts on hold those of these queued deliveries that **take** would put on hold at this moment, so that whoever asked
 * is told the truth and no job is made in vain. **take** decides again when the job comes.
 */
export async function admitNow(trx: Database, ids: readonly string[]): Promise<SentOn> {
  await lockForAdmission(trx, ids);
  const holds = new Map<string, Admission>();
  const atGateOf = new Set<string>();
  for (const { consumerId, gate, candidates } of await readAdmissionFacts(trx, ids)) {
    for (const [index, admission] of admit(gate, candidates).admissions.entries()) {
      const candidate = candidates[index];
      if (candidate === undefined || admission.kind !== 'hold') continue;
      holds.set(candidate.id, admission);
      atGateOf.add(consumerId);
    }
  }
  await applyAdmissions(trx, holds, []);
  const { rows } = await sql<{ id: string; consumer_id: string; round: number }>`
    select id, consumer_id, round from open_deliveries where id = any (${ids}::uuid[]) and state = 'queued'`.execute(
    trx,
  );
  return {
    queued: rows.map((row) => ({ deliveryId: row.id, consumerId: row.consumer_id, round: row.round })),
    atGateOf: [...atGateOf],
  };
}

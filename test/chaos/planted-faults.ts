/** A text in a compiled file and what stands there instead. It has to occur exactly once. */
export interface Edit {
  /** Below `dist/`. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

export const PLANTED = ['skipped-release', 'no-fence', 'no-reconciler'] as const;
export type Planted = (typeof PLANTED)[number];

const RECORD = 'libs/database/src/delivering/record.js';
const ATTEMPT = 'libs/dispatch/src/attempt/attempt.service.js';
const RECONCILER = 'libs/dispatch/src/schedules/reconciler.js';

/** Faults that the suite must find. Whoever rewrites these files moves the anchors along. */
export const PLANTED_FAULTS: Readonly<Record<Planted, readonly Edit[]>> = {
  /** Every tenth batch of records forgets to release what is next in its lanes. */
  'skipped-release': [
    {
      file: RECORD,
      find: 'releaseNextOnce(trx, lanes)',
      replace:
        '(globalThis.releases = (globalThis.releases ?? 0) + 1) % 10 === 0 ? { released: [], isSettled: true } : releaseNextOnce(trx, lanes)',
    },
  ],
  /**
   * Whoever comes back late records all the same: the result's own lease stands in for the one in force. The stall
   * watch goes too, since it would keep the one that slept from recording what it believes to be a timeout.
   */
  'no-fence': [
    {
      file: RECORD,
      find: 'd.id = f.id and d.lease = f.lease',
      replace: 'd.id = f.id',
    },
    {
      file: RECORD,
      find: 'clock_skew_ms, lease, probe\n      from fenced',
      replace:
        'clock_skew_ms, (select i.lease from input i where i.id = fenced.id), probe\n      from fenced',
    },
    { file: ATTEMPT, find: 'this.stallWatch.stalledSince(askedAt)', replace: 'false' },
  ],
  /** Nobody ever sweeps. */
  'no-reconciler': [{ file: RECONCILER, find: 'Object.entries(steps)', replace: 'Object.entries({})' }],
};

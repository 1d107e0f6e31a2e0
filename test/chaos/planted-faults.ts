/** A text of one module of the build that is replaced when a process loads it. */
export interface Replacement {
  /** The end of the module's URL. */
  readonly file: string;
  /** It occurs once. */
  readonly text: string;
  readonly replacement: string;
}

export const PLANTED = [
  'no-fence',
  'no-halving',
  'no-parking-release',
  'no-reconcile',
  'no-slow-start',
  'no-unproven-share',
] as const;
export type Planted = (typeof PLANTED)[number];

const SLOTS = '/apps/worker/src/session/slots.js';
const ENGINE = '/libs/database/src/engine';

/** Faults that the suite must find. The product has no switch for them. */
export const PLANTED_FAULTS: Readonly<Record<Planted, readonly Replacement[]>> = {
  /** A result is recorded although another session of its consumer was opened. */
  'no-fence': [
    {
      file: `${ENGINE}/record-function.js`,
      text: 'where o.session = w.session;',
      replacement: 'where true;',
    },
  ],
  /** A batch of records that PostgreSQL refuses fails as a whole. */
  'no-halving': [
    {
      file: '/libs/database/src/connection/micro-batch.js',
      text: 'items.length > 1',
      replacement: 'false',
    },
  ],
  /** A parked delivery keeps its due time when the earlier status of its payment is finished. */
  'no-parking-release': [
    {
      file: `${ENGINE}/delivery-functions.js`,
      text: 'set next_attempt_at = now() from next',
      replacement: 'set next_attempt_at = d.next_attempt_at from next',
    },
  ],
  /** Jobs that the queue has lost are never added again. */
  'no-reconcile': [
    {
      file: '/apps/worker/src/maintenance/reconcile.js',
      text: 'queue: () => this.addMissing(),',
      replacement: '',
    },
  ],
  /** A session begins with as many requests as its consumer allows. */
  'no-slow-start': [
    { file: SLOTS, text: 'const FIRST_WINDOW = 4', replacement: 'const FIRST_WINDOW = 1000' },
  ],
  /** Consumers that do not answer may take all slots, for as long as their requests last. */
  'no-unproven-share': [
    { file: SLOTS, text: 'const UNPROVEN_SHARE = 0.5', replacement: 'const UNPROVEN_SHARE = 1' },
    {
      file: '/apps/worker/src/session/in-flight.js',
      text: 'const SLOW_MS = 500',
      replacement: 'const SLOW_MS = 60_000',
    },
  ],
};

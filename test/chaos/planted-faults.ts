import { join } from 'node:path';

export const PLANTED = [
  'no-fence',
  'no-halving',
  'no-parking-release',
  'no-reconcile',
  'no-slow-start',
  'no-unproven-share',
] as const;
export type Planted = (typeof PLANTED)[number];

/** How a fault is planted from outside; the product has no switch for it. */
export interface PlantedFault {
  /** A module that is loaded before the worker's main file and replaces a method of an exported class. */
  readonly workerPreload?: string;
  /** A statement that is executed after the migration. */
  readonly sql?: string;
}

const preload = (name: Planted): string => join(import.meta.dirname, 'planted', `${name}.ts`);

/** Faults that the suite must find. */
export const PLANTED_FAULTS: Readonly<Record<Planted, PlantedFault>> = {
  'no-fence': { workerPreload: preload('no-fence') },
  'no-halving': { workerPreload: preload('no-halving') },
  /** A parked delivery keeps its due time when the earlier status of its payment is finished. */
  'no-parking-release': {
    sql: `
      create function keep_parked() returns trigger language plpgsql as $$
      begin
        new.next_attempt_at := old.next_attempt_at;
        return new;
      end $$;
      create trigger chaos_keep_parked before update of next_attempt_at on pending_deliveries
        for each row when (old.attempts = 0 and new.attempts = 0 and new.next_attempt_at < old.next_attempt_at)
        execute function keep_parked()`,
  },
  'no-reconcile': { workerPreload: preload('no-reconcile') },
  'no-slow-start': { workerPreload: preload('no-slow-start') },
  'no-unproven-share': { workerPreload: preload('no-unproven-share') },
};

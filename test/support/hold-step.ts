import type { BulkActionKind } from '#libs/contracts';

/** A number chooses among what there is at the time. */
export type Step =
  | { readonly kind: 'accept'; readonly lanes: readonly number[] }
  | { readonly kind: 'take'; readonly which: number }
  | { readonly kind: 'record'; readonly which: number; readonly next: 'delivered' | 'retry' | 'dead' }
  | { readonly kind: 'loseLease'; readonly which: number }
  | { readonly kind: 'pause' | 'resume'; readonly consumer: number }
  | { readonly kind: 'limit'; readonly consumer: number; readonly maxConcurrency: number }
  | { readonly kind: 'retry'; readonly which: number; readonly force: boolean }
  | { readonly kind: 'cancel'; readonly which: number }
  | { readonly kind: 'bulk'; readonly consumer: number; readonly action: BulkActionKind }
  | { readonly kind: 'lookAtGates' | 'reconcile' | 'stepBulk' }
  | { readonly kind: 'together'; readonly steps: readonly Step[] };

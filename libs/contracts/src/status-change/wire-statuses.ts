/** Wire statuses (specification, "States and transitions"). */
export const WIRE_STATUSES = ['Review', 'Send Ready', 'Reject', 'Error', 'Exception', 'Complete'] as const;

let admitted: readonly string[] = WIRE_STATUSES;

/**
 * Admits statuses in addition to the six: the specification's own sample has `Processed`, which is not one of them. Called
 * once at boot with WIRE_EXTRA_STATUSES, since decorators cannot read the configuration.
 */
export function admitWireStatuses(extra: readonly string[]): void {
  admitted = [...WIRE_STATUSES, ...extra];
}

/** The rule for a wire's `status`. */
export const wireStatusFault = (status: string): string | null =>
  admitted.includes(status) ? null : `must be one of ${admitted.join(', ')}`;

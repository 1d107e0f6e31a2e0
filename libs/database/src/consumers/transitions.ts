import type { AuditAction } from '#libs/contracts';
import type { Logger, Metrics } from '#libs/observability';
import { DISPATCHER, recordAudit } from '../audit/audit.js';
import type { Transaction } from '../connection/connection.js';

/** An automatic change of a consumer's condition. */
export interface Transition {
  readonly consumerId: string;
  readonly kind:
    | 'circuit_opened'
    | 'circuit_closed'
    | 'probe_failed'
    | 'paused_by_consumer'
    | 'resumed'
    | 'secret_fault'
    | 'secret_restored';
  readonly details: Readonly<Record<string, unknown>>;
}

/**
 * Writes a transition to the audit log, in its transaction; `reportTransitions` follows the commit. Failed probes
 * have no entries: the entry of the closed circuit has their number and the duration.
 */
export async function auditTransition(
  trx: Transaction,
  { consumerId, kind, details }: Transition,
): Promise<void> {
  if (kind === 'probe_failed') return;
  await recordAudit(trx, {
    actor: DISPATCHER,
    action: `consumer.${kind}` satisfies AuditAction,
    target: `consumer:${consumerId}`,
    address: null,
    details,
  });
}

interface Report {
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Logs and counts transitions that are committed. */
export function reportTransitions({ logger, metrics }: Report, transitions: readonly Transition[]): void {
  for (const { consumerId, kind, details } of transitions) {
    metrics.consumerTransitions.inc({ kind });
    logger.warn({ consumerId, ...details, summary: SUMMARIES[kind] }, `consumer.${kind}`);
  }
}

/** Logs and counts an operator's pause or resumption of a consumer or of the whole dispatcher. */
export function reportOperatorCommand(
  { logger, metrics }: Report,
  kind: 'paused' | 'resumed',
  target: { readonly consumerId: string } | { readonly target: 'queue' },
): void {
  metrics.consumerTransitions.inc({ kind });
  logger.warn(target, 'consumerId' in target ? `consumer.${kind}` : `sending.${kind}`);
}

/** Explains the event to a reader of the log. */
const SUMMARIES: Readonly<Record<Transition['kind'], string>> = {
  circuit_opened: 'the consumer is down: its circuit is open, and its deliveries wait',
  circuit_closed: 'the consumer answers again: its circuit is closed, and its deliveries are sent',
  probe_failed: 'the consumer is still down: a probe has failed',
  paused_by_consumer: 'the consumer answered 410 Gone and is paused until an operator resumes it',
  resumed: 'the pause of the consumer has reached its planned end',
  secret_fault:
    'the credentials cannot be decrypted; the deliveries wait until SECRETS_KEYRING holds their key',
  secret_restored: 'the credentials can be decrypted again, and the deliveries are sent',
};

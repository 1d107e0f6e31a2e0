import type { CertificateInUse, ConsumerRow, ConsumerSettings, JudgedConsumer } from '#libs/database';
import { certificateInUseView } from './certificates/certificate-view.js';
import { consumerHealthView } from './health/consumer-health.dto.js';
import type { ConsumerDto } from './consumer.dto.js';

/** The settings of a consumer, under the API's field names. */
export function settingsOf(row: ConsumerSettings) {
  return {
    name: row.name,
    externalId: row.external_id,
    url: row.url,
    contact: row.contact,
    notifyContact: row.notify_contact,
    notes: row.notes,
    eventTypes: row.event_types,
    achCompanyIds: row.ach_company_ids,
    wireCompanyIds: row.wire_company_ids,
    allPayments: row.all_payments,
    timestampUnit: row.timestamp_unit,
    ordering: row.ordering,
    timeoutMs: row.timeout_ms,
    maxConcurrency: row.max_concurrency,
    maxPerSecond: row.max_per_second,
    retrySchedule: row.retry_schedule,
  };
}

/** The settings for the audit log, with the fingerprints of certificates instead of their PEM. */
export const auditedSettings = (row: ConsumerSettings) => ({
  ...settingsOf(row),
  caCertificate:
    row.ca_certificate === null ? null : row.ca_certificates.map(({ fingerprint }) => fingerprint),
});

/** A consumer in the API's form, without secret and password. */
export function consumerView(
  row: ConsumerRow,
  certificates: readonly CertificateInUse[],
  { health, circuit }: Pick<JudgedConsumer, 'health' | 'circuit'>,
): ConsumerDto {
  return {
    id: row.id,
    ...settingsOf(row),
    caCertificate: row.ca_certificate,
    certificates: certificates.map(certificateInUseView),
    state: row.state,
    pausedAt: row.paused_at?.toISOString() ?? null,
    pausedUntil: row.paused_until?.toISOString() ?? null,
    pauseReason: row.pause_reason,
    failuresInARow: row.failures,
    circuit:
      circuit.circuit_opened_at === null
        ? null
        : {
            openedAt: circuit.circuit_opened_at.toISOString(),
            failedProbes: circuit.failed_probes,
            nextProbeAt: circuit.next_probe_at?.toISOString() ?? null,
          },
    secretFault: row.secret_fault,
    health: consumerHealthView(health),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

/** The changed fields with their values before and after, for the audit log. */
export function differences(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): { before: Record<string, unknown>; after: Record<string, unknown> } {
  const changed = Object.keys(after).filter(
    (field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  );
  const only = (of: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(changed.map((field) => [field, of[field]]));
  return { before: only(before), after: only(after) };
}

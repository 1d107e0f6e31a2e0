import { List, Text } from '@mantine/core';
import type { Schema } from '../../../api';
import { Time } from '../../../formats/time';
import { outageInWords } from '../../audit/audit-acts';
import { FIELD_LABELS, isField } from '../consumer-form/field-labels';

/** What the audit log calls it, and what it was. */
const ACTS: Readonly<Record<string, string>> = {
  'consumer.registered': 'registered the consumer',
  'consumer.changed': 'changed its settings',
  'consumer.paused': 'paused it',
  'consumer.resumed': 'resumed it',
  'consumer.removed': 'removed it',
  'consumer.tested': 'sent a test',
  'consumer.circuit_opened': 'opened its circuit after too many consecutive failures',
  'consumer.circuit_closed': 'closed its circuit',
  'consumer.paused_by_consumer': 'paused it, because it answered 410 Gone',
  'consumer.secret_fault': 'could not decrypt its credentials',
  'consumer.secret_mended': 'could decrypt its credentials again',
  'api-key.created': 'created a key for it',
  'api-key.revoked': 'revoked a key of it',
  'credentials.added': 'added new credentials',
  'credentials.activated': 'activated credentials',
  'credentials.dropped': 'dropped scheduled credentials',
  'credentials.reencrypted': 'encrypted its credentials with the newest key',
  'signature.explained': 'explained a signature',
};

const OTHER_LABELS: Readonly<Record<string, string>> = { credentialVersion: 'Current version' };

/** One act of a person, or of the dispatcher itself, upon this consumer. */
export function ChangeInWords({ entry }: { entry: Schema<'AuditEntryDto'> }) {
  const { actor, role, action, at, reason, before, after } = entry;
  return (
    <Text component="div">
      <strong>
        {actor} {ACTS[action] ?? action}
        {action === 'consumer.circuit_closed' && outageInWords(entry.details)}
      </strong>
      {role !== null && ` (${role})`} <Time at={at} />
      {reason !== null && <div>“{reason}”</div>}
      {action === 'credentials.added' && after === null && <Coming details={entry.details} />}
      {after !== null && (
        <List size="sm">
          {Object.entries(after).map(([field, value]) => (
            <List.Item key={field} style={{ overflowWrap: 'anywhere' }}>
              {isField(field) ? FIELD_LABELS[field] : (OTHER_LABELS[field] ?? field)}:{' '}
              {asText(before?.[field])} → {asText(value)}
            </List.Item>
          ))}
        </List>
      )}
    </Text>
  );
}

/** A version that was added for later changes nothing yet. */
function Coming({ details: { credentialVersion, activateAt } }: Pick<Schema<'AuditEntryDto'>, 'details'>) {
  return (
    <Text size="sm">
      Version {asText(credentialVersion)}, effective from{' '}
      {typeof activateAt === 'string' ? <Time at={activateAt} /> : 'later'}.
    </Text>
  );
}

const asText = (value: unknown): string => {
  if (value === null || value === undefined || value === '') return 'none';
  return typeof value === 'string' ? value : JSON.stringify(value);
};

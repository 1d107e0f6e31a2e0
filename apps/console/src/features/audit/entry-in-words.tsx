import { Group, Stack, Text } from '@mantine/core';
import { FIELD_LABELS, isKey, JsonView, TextLink } from '../../formats';
import { ChangesTable } from '../../tables';
import { sentenceOf, type AuditEntry } from './audit-actions';

/** What an entry records, as the rest of a sentence that begins with its actor: `paused Acme`. */
export function EntrySentence({ entry }: { entry: AuditEntry }) {
  const [before, after] = sentenceOf(entry);
  const { name, path } = targetOf(entry);
  return (
    <>
      {before}
      {path === null ? name : <TextLink to={path}>{name}</TextLink>}
      {after}
    </>
  );
}

/** Everything that an entry holds, and links to related entries. */
export function EntryDetails({ entry }: { entry: AuditEntry }) {
  const { actor, action, target, before, after, details, id } = entry;
  // The names of the changed fields are the rows of the table already.
  const hasMore = Object.keys(details).some((key) => key !== 'changed' || after === null);
  return (
    <Stack gap="sm" mt="xs">
      {before !== null && after !== null && (
        <ChangesTable
          changes={[...new Set([...Object.keys(before), ...Object.keys(after)])].map((field) => ({
            name: labelOf(field),
            before: valueInWords(before[field]),
            after: valueInWords(after[field]),
          }))}
        />
      )}
      {hasMore && <JsonView value={details} what="As recorded" />}
      <Text size="sm">
        Entry {id}, action <code>{action}</code>, target <code>{target}</code>.
      </Text>
      <Group gap="md">
        <TextLink size="sm" to={`?${new URLSearchParams({ target }).toString()}`}>
          All entries about {targetOf(entry).name}
        </TextLink>
        <TextLink size="sm" to={`?${new URLSearchParams({ actor }).toString()}`}>
          All entries by {actorOf(entry).replace(/^The /, 'the ')}
        </TextLink>
      </Group>
    </Stack>
  );
}

/** An actor without a role is the dispatcher itself. */
export const actorOf = ({ actor, role }: AuditEntry): string => (role === null ? `The ${actor}` : actor);

/** The name of what an entry is about, and the path of its screen. */
export function targetOf({
  target,
  targetName,
  details,
}: Pick<AuditEntry, 'target' | 'targetName' | 'details'>): { name: string; path: string | null } {
  const [kind = '', id = ''] = target.split(':', 2);
  switch (kind) {
    case 'consumer':
      return { name: targetName ?? 'a consumer', path: `/consumers/${id}` };
    case 'delivery':
      return { name: 'a delivery', path: `/deliveries/${id}` };
    case 'event':
      return { name: 'an event', path: `/events/${id}` };
    case 'bulk-action':
      return { name: `a bulk ${valueInWords(details['action'] ?? 'action')}`, path: `/bulk-actions/${id}` };
    case 'api-key': {
      const name = targetName ?? 'a key';
      return { name: `“${name}”`, path: `/api-keys?${new URLSearchParams({ name }).toString()}` };
    }
    case 'issue':
      return { name: 'an issue', path: `/issues/${id}` };
    case 'channel':
      return { name: valueInWords(details['name']), path: '/channels' };
    case 'queue':
      return { name: 'sending to all consumers', path: '/' };
    case 'unrouted':
      return { name: 'the unrouted events', path: '/payments?unrouted=true' };
    default:
      return { name: target, path: null };
  }
}

export const labelOf = (field: string): string =>
  isKey(FIELD_LABELS, field)
    ? FIELD_LABELS[field]
    : field === 'credentialVersion'
      ? 'Current credentials version'
      : field;

/** The value of a setting, as text; `not set` for an absent one. */
export function valueInWords(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'not set';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(valueInWords).join(', ');
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

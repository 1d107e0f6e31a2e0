import { Button, Group, Stack, Table, Text } from '@mantine/core';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { JsonView, TextLink, Time, FIELD_LABELS, isKey } from '../../formats';
import { sentenceOf, type AuditEntry } from './audit-actions';
import styles from './audit.module.css';

/** One entry as a sentence (`ops-anna paused Acme: they asked us to wait`); a button shows what it changed. */
export function EntryItem({ entry }: { entry: AuditEntry }) {
  const [isOpen, setIsOpen] = useState(false);
  const id = useId();
  const { at, role, address, reason } = entry;
  const [before, after] = sentenceOf(entry);
  const { name, path } = targetOf(entry);
  return (
    <li className={styles['entry']}>
      <Group justify="space-between" align="flex-start" wrap="nowrap">
        <div>
          <Text id={`${id}-what`}>
            <strong>{actorOf(entry)}</strong> {before}
            {path === null ? name : <TextLink to={path}>{name}</TextLink>}
            {after}
            {reason !== null && `: ${reason}`}
          </Text>
          <Text size="sm" c="dimmed" component="div">
            <Time at={at} />
            {role === null ? ' · automatic' : ` · as ${role}`}
            {address !== null && ` · from ${address}`}
          </Text>
        </div>
        <Button
          variant="default"
          size="compact-sm"
          style={{ flexShrink: 0 }}
          aria-expanded={isOpen}
          aria-controls={`${id}-details`}
          aria-describedby={`${id}-what`}
          rightSection={isOpen ? <IconChevronUp size={14} /> : <IconChevronDown size={14} />}
          onClick={() => setIsOpen(!isOpen)}
        >
          Details
        </Button>
      </Group>
      <div id={`${id}-details`}>{isOpen && <EntryDetails entry={entry} />}</div>
    </li>
  );
}

/** Everything that an entry holds, and links to related entries. */
function EntryDetails({ entry }: { entry: AuditEntry }) {
  const { actor, action, target, before, after, details, id } = entry;
  // The names of the changed fields are the rows of the table already.
  const hasMore = Object.keys(details).some((key) => key !== 'changed' || after === null);
  return (
    <Stack gap="sm" mt="xs">
      {before !== null && after !== null && (
        <Table withTableBorder className={styles['changes'] ?? ''} layout="fixed">
          <Table.Thead>
            <Table.Tr>
              {['Changed', 'Before', 'After'].map((heading) => (
                <Table.Th key={heading}>{heading}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {[...new Set([...Object.keys(before), ...Object.keys(after)])].map((field) => (
              <Table.Tr key={field}>
                <Table.Th scope="row">{labelOf(field)}</Table.Th>
                <Table.Td>{valueInWords(before[field])}</Table.Td>
                <Table.Td>{valueInWords(after[field])}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
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

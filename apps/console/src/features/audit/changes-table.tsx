import { Table } from '@mantine/core';
import { FIELD_LABELS, isField } from '../consumers/consumer-form/field-labels';
import styles from './audit.module.css';
import type { AuditEntry } from './use-audit';

type Fields = NonNullable<AuditEntry['before']>;

/** What a change changed, as it was and as it is, side by side. */
export function ChangesTable({ before, after }: { before: Fields; after: Fields }) {
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return (
    <Table withTableBorder className={styles['changes'] ?? ''} layout="fixed">
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">Changed</Table.Th>
          <Table.Th scope="col">Before</Table.Th>
          <Table.Th scope="col">After</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {fields.map((field) => (
          <Table.Tr key={field}>
            <Table.Th scope="row">{labelOf(field)}</Table.Th>
            <Table.Td>{inWords(before[field])}</Table.Td>
            <Table.Td>{inWords(after[field])}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function labelOf(field: string): string {
  if (isField(field)) return FIELD_LABELS[field];
  return field === 'credentialVersion' ? 'Version of the credentials in force' : field;
}

/** A setting's value; what is not set says so. */
function inWords(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'not set';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(inWords).join(', ');
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

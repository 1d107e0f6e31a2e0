import { Table } from '@mantine/core';
import { asText } from '../consumer-form/changes-of';
import type { ConsumerValues } from '../consumer-form/consumer-values';
import { FIELD_LABELS, isField } from '../consumer-form/field-labels';

/** Every setting with its name. */
export function SettingsTable({ values }: { values: ConsumerValues }) {
  return (
    <Table variant="vertical" layout="fixed">
      <Table.Tbody>
        {Object.keys(FIELD_LABELS)
          .filter(isField)
          .map((field) => (
            <Table.Tr key={field}>
              <Table.Th scope="row" w={{ base: '40%', md: 280 }}>
                {FIELD_LABELS[field]}
              </Table.Th>
              <Table.Td style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
                {asText(field, values)}
              </Table.Td>
            </Table.Tr>
          ))}
      </Table.Tbody>
    </Table>
  );
}

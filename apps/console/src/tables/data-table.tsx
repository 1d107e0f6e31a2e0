import { Table, VisuallyHidden } from '@mantine/core';
import { RelativeTimes } from '../formats';
import { useChosenColumns } from './column-chooser';
import type { DataTableProps } from './data-table-props';
import styles from './data-table.module.css';
import { TableRow } from './table-row';

/** A table; on a phone each row is a card. */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { caption, rows, total, rowId, rowLink, rowActions, rowDetails, goneIds, isDense = false } = props;
  const { columns, chooser } = useChosenColumns(props.columns, props.columnsKeptAs);
  const hasCommands = rowActions !== undefined || rowDetails !== undefined;
  const hasLast = hasCommands || chooser !== null;
  const table = (
    <Table
      className={styles['table']}
      role="table"
      highlightOnHover={rowLink !== undefined}
      verticalSpacing={5}
    >
      <Table.Caption style={{ captionSide: 'top' }} fz={0} h={0} p={0} m={0}>
        {caption}
      </Table.Caption>
      <Table.Thead role="rowgroup">
        <Table.Tr role="row">
          {columns.map(({ header, isNumber = false }) => (
            <Table.Th key={header} role="columnheader" scope="col" data-number={isNumber}>
              {header}
            </Table.Th>
          ))}
          {hasLast && (
            <Table.Th role="columnheader" scope="col" className={styles['last'] ?? ''}>
              {hasCommands && <VisuallyHidden>Actions</VisuallyHidden>}
              {chooser}
            </Table.Th>
          )}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody role="rowgroup">
        {rows.map((row) => (
          <TableRow
            key={rowId(row)}
            {...{ row, columns, hasLast, rowLink, rowActions, rowDetails }}
            isGone={goneIds?.has(rowId(row))}
          />
        ))}
      </Table.Tbody>
      {total !== undefined && (
        <Table.Tfoot role="rowgroup">
          <TableRow row={total} columns={columns} hasLast={hasLast} isTotal />
        </Table.Tfoot>
      )}
    </Table>
  );
  return (
    <RelativeTimes value>{isDense ? <div className={styles['dense']}>{table}</div> : table}</RelativeTimes>
  );
}

import { Table, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { RelativeTimes } from '../formats';
import { useChosenColumns } from './column-chooser';
import styles from './data-table.module.css';
import { TableRow } from './table-row';

/** One column; its header is unique in the table. */
export interface Column<Row> {
  header: string;
  cell: (row: Row) => ReactNode;
  /** A number, aligned right; its unit is in the header. */
  isNumber?: boolean;
  /** A text of any length, with its line ends. */
  isLong?: boolean;
}

export interface DataTableProps<Row> {
  /** The name for screen readers. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  /** The last row, of all rows together. */
  total?: Row;
  rowId: (row: Row) => string;
  /** The link of a row: in its first cell, with the whole row as its target. */
  rowLink?: ((row: Row) => string) | undefined;
  /** The commands of a row: in its last cell, visible while the row has the pointer or the focus, and on touch screens. */
  rowActions?: ((row: Row) => ReactNode) | undefined;
  /** More about a row, shown below it on request. */
  rowDetails?: ((row: Row) => ReactNode) | undefined;
  /** Rows that no longer match but keep their places. */
  goneIds?: ReadonlySet<string> | undefined;
  /** Lets people choose the columns; the browser keeps the choice under this name. */
  columnsKeptAs?: string;
  /** One line per row; in a narrow window only the table scrolls. */
  isDense?: boolean;
}

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

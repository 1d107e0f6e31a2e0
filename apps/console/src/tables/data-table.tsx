import { Anchor, Table, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { RelativeTimes } from '../formats';
import { useChosenColumns } from './column-chooser';
import styles from './data-table.module.css';

/** One column; its header is unique in the table. */
export interface Column<Row> {
  header: string;
  cell: (row: Row) => ReactNode;
  /** A number, aligned right; its unit is in the header. */
  isNumber?: boolean;
}

export interface DataTableProps<Row> {
  /** The name for screen readers. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowId: (row: Row) => string;
  /** The link of a row: in its first cell, with the whole row as its target. */
  rowLink?: (row: Row) => string;
  /** The commands of a row: in its last cell, visible while the row has the pointer or the focus, and on touch screens. */
  rowActions?: ((row: Row) => ReactNode) | undefined;
  /** Rows that no longer match but keep their places. */
  goneIds?: ReadonlySet<string> | undefined;
  /** Lets people choose the columns; the browser keeps the choice under this name. */
  columnsKeptAs?: string;
  /** One line per row; in a narrow window only the table scrolls. */
  isDense?: boolean;
}

/** A table; on a phone each row is a card. */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { caption, rows, rowId, rowLink, rowActions, columnsKeptAs, goneIds, isDense = false } = props;
  const { columns, chooser } = useChosenColumns(props.columns, columnsKeptAs);
  const hasLast = rowActions !== undefined || chooser !== null;
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
              {rowActions !== undefined && <VisuallyHidden>Actions</VisuallyHidden>}
              {chooser}
            </Table.Th>
          )}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody role="rowgroup">
        {rows.map((row) => (
          <Table.Tr
            key={rowId(row)}
            className={styles['row']}
            role="row"
            data-gone={goneIds?.has(rowId(row))}
          >
            {columns.map(({ header, cell, isNumber = false }, index) => (
              <Table.Td key={header} role="cell" data-label={header} data-number={isNumber}>
                {index === 0 && rowLink !== undefined ? (
                  <Anchor
                    component={Link}
                    to={rowLink(row)}
                    className={styles['link']}
                    underline="hover"
                    inherit
                  >
                    {cell(row)}
                  </Anchor>
                ) : (
                  <div className={styles['cell']}>{cell(row)}</div>
                )}
              </Table.Td>
            ))}
            {hasLast && (
              <Table.Td role="cell" data-label="Actions" className={styles['last'] ?? ''}>
                {rowActions !== undefined && <div className={styles['actions']}>{rowActions(row)}</div>}
              </Table.Td>
            )}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
  return (
    <RelativeTimes value>{isDense ? <div className={styles['dense']}>{table}</div> : table}</RelativeTimes>
  );
}

import { Anchor, Table } from '@mantine/core';
import { createColumnHelper, tableFeatures, useTable } from '@tanstack/react-table';
import { useMemo, type ReactNode } from 'react';
import { Link } from 'react-router';
import styles from './data-table.module.css';

/** One column. Keep the array outside of the component, or in a memo. */
export interface Column<Row> {
  id: string;
  header: string;
  cell: (row: Row) => ReactNode;
}

interface DataTableProps<Row> {
  /** What the table shows, for people who do not see it. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: Row[];
  rowId: (row: Row) => string;
  /** Where a row leads: its first cell becomes the link, the whole row its target. */
  rowLink?: (row: Row) => string;
}

const features = tableFeatures({});

/** A table; on a phone each row is a card. */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { caption, columns, rows, rowId, rowLink } = props;
  const definitions = useMemo(() => {
    const helper = createColumnHelper<typeof features, Row>();
    return helper.columns(
      columns.map(({ id, header, cell }) =>
        helper.display({ id, header, cell: ({ row }) => cell(row.original) }),
      ),
    );
  }, [columns]);
  const table = useTable({ features, columns: definitions, data: rows, getRowId: rowId });

  return (
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
        {table.getHeaderGroups().map((group) => (
          <Table.Tr key={group.id} role="row">
            {group.headers.map((header) => (
              <Table.Th key={header.id} role="columnheader" scope="col">
                <table.FlexRender header={header} />
              </Table.Th>
            ))}
          </Table.Tr>
        ))}
      </Table.Thead>
      <Table.Tbody role="rowgroup">
        {table.getRowModel().rows.map((row) => (
          <Table.Tr key={row.id} className={styles['row']} role="row">
            {row.getAllCells().map((cell, index) => (
              <Table.Td key={cell.id} role="cell" data-label={columns[index]?.header}>
                {index === 0 && rowLink !== undefined ? (
                  <Anchor
                    component={Link}
                    to={rowLink(row.original)}
                    className={styles['link']}
                    underline="hover"
                    inherit
                  >
                    <table.FlexRender cell={cell} />
                  </Anchor>
                ) : (
                  <table.FlexRender cell={cell} />
                )}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

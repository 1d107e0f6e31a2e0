import { Anchor, Button, Table } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { useId } from 'react';
import { Link } from 'react-router';
import type { Column, DataTableProps } from './data-table-props';
import styles from './data-table.module.css';

interface TableRowProps<Row> extends Pick<DataTableProps<Row>, 'rowLink' | 'rowActions' | 'rowDetails'> {
  row: Row;
  columns: readonly Column<Row>[];
  /** The table has a last column, of commands. */
  hasLast: boolean;
  isGone?: boolean | undefined;
  isTotal?: boolean;
}

/** A row, with its details below it while they are open. */
export function TableRow<Row extends object>({ row, columns, hasLast, ...more }: TableRowProps<Row>) {
  const { rowLink, rowActions, rowDetails, isGone, isTotal = false } = more;
  const [isOpen, details] = useDisclosure(false);
  const id = useId();
  return (
    <>
      <Table.Tr id={id} className={styles['row']} role="row" data-gone={isGone} {...(isTotal && { fw: 700 })}>
        {columns.map(({ header, cell, isNumber = false, isLong = false }, index) => (
          <Table.Td key={header} role="cell" data-label={header} data-number={isNumber} data-long={isLong}>
            {index === 0 && rowLink !== undefined ? (
              <Anchor component={Link} to={rowLink(row)} className={styles['link']} underline="hover" inherit>
                {cell(row)}
              </Anchor>
            ) : (
              <div className={styles['cell']}>{cell(row)}</div>
            )}
          </Table.Td>
        ))}
        {hasLast && (
          <Table.Td role="cell" data-label="Actions" className={styles['last'] ?? ''}>
            <div className={styles['actions']}>
              {rowActions?.(row)}
              {rowDetails !== undefined && (
                <Button
                  variant="default"
                  size="compact-sm"
                  aria-expanded={isOpen}
                  aria-controls={`${id}-details`}
                  aria-describedby={id}
                  rightSection={isOpen ? <IconChevronUp size={14} /> : <IconChevronDown size={14} />}
                  onClick={details.toggle}
                >
                  Details
                </Button>
              )}
            </div>
          </Table.Td>
        )}
      </Table.Tr>
      {isOpen && rowDetails !== undefined && (
        <Table.Tr id={`${id}-details`} role="row">
          <Table.Td role="cell" colSpan={columns.length + 1}>
            {rowDetails(row)}
          </Table.Td>
        </Table.Tr>
      )}
    </>
  );
}

import type { ReactNode } from 'react';

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

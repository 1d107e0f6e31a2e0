import { DataTable } from './data-table';
import type { Column } from './data-table-props';

/** A changed setting; the values are texts. */
export interface ChangeInWords {
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

const COLUMNS: readonly Column<ChangeInWords>[] = [
  { header: 'Setting', cell: ({ name }) => name },
  { header: 'Before', cell: ({ before }) => before, isLong: true },
  { header: 'After', cell: ({ after }) => after, isLong: true },
];

/** Settings before and after a change. */
export const ChangesTable = ({ changes }: { changes: readonly ChangeInWords[] }) => (
  <DataTable caption="Changed settings" columns={COLUMNS} rows={changes} rowId={({ name }) => name} />
);

import { ContactLink } from '../../formats/contact-link';
import { countInWords, percentInWords } from '../../formats/count-in-words';
import { DataTable, type Column } from '../../tables/data-table';
import { HealthBadge, trendInWords } from './health-words';
import type { Consumer } from './use-all-consumers';

const COLUMNS: readonly Column<Consumer>[] = [
  {
    id: 'name',
    header: 'Consumer',
    cell: ({ name, externalId }) => (externalId === null ? name : `${name} (${externalId})`),
  },
  { id: 'health', header: 'Health', cell: ({ health }) => <HealthBadge health={health} /> },
  {
    id: 'cause',
    header: 'Cause',
    cell: ({ health: { cause, notices } }) => cause?.words ?? notices[0]?.words ?? '–',
  },
  {
    id: 'waiting',
    header: 'Waiting',
    cell: ({ health }) => `${countInWords(health.waiting)} ${trendInWords(health)}`,
  },
  { id: 'in', header: 'In/min', cell: ({ health }) => countInWords(health.inPerMinute) },
  { id: 'out', header: 'Out/min', cell: ({ health }) => countInWords(health.outPerMinute) },
  {
    id: 'success',
    header: 'Success',
    cell: ({ health: { successShare } }) => (successShare === null ? '–' : percentInWords(successShare)),
  },
  { id: 'dead', header: 'Dead', cell: ({ health: { dead } }) => countInWords(dead.count) },
  { id: 'contact', header: 'Contact', cell: ({ contact }) => <ContactLink contact={contact} /> },
];

/** Consumers with their health and backlog. */
export function ConsumersTable({ rows }: { rows: Consumer[] }) {
  return (
    <DataTable
      caption="Consumers"
      columns={COLUMNS}
      rows={rows}
      rowId={({ id }) => id}
      rowLink={({ id }) => `/consumers/${id}`}
    />
  );
}

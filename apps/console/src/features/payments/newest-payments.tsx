import { useMemo } from 'react';
import { answerOf, api, type ListQuery, type Schema } from '../../api';
import { EmptyState } from '../../feedback';
import { EVENT_TYPES, paymentPath, Time } from '../../formats';
import { useMay } from '../../signed-in/use-me';
import {
  type Column,
  type Filter,
  FilterBar,
  ListView,
  PAGE_SIZE,
  usePageOffset,
  useStableList,
  useUrlFilters,
} from '../../tables';
import { useConsumerChoices } from '../../queries/use-consumers';
import { RecipientsInWords } from './recipients';

type Payment = Schema<'PaymentDto'>;

const COLUMNS: readonly Column<Payment>[] = [
  { header: 'Payment', cell: ({ paymentId }) => paymentId },
  { header: 'Kind', cell: (row) => EVENT_TYPES[`${row.kind}.status`].label },
  { header: 'Newest status', cell: ({ newestStatus }) => newestStatus ?? 'none' },
  { header: 'Statuses', cell: ({ statusCount }) => statusCount, isNumber: true },
  { header: 'Consumers', cell: ({ recipients }) => <RecipientsInWords recipients={recipients} /> },
  { header: 'Accepted', cell: ({ updatedAt }) => <Time at={updatedAt} /> },
];

/** ACH and wire ids may be equal and mean different payments. */
const idOf = ({ kind, paymentId }: Payment): string => `${kind} ${paymentId}`;

const KINDS = Object.values(EVENT_TYPES).map(({ kind, label }) => ({ value: kind, label }));
const NAMES = ['kind', 'status', 'consumerId', 'from', 'to'] as const;

/** Payments, newest status first, filtered by the URL. */
export function NewestPayments() {
  const isViewer = useMay('viewer');
  const { values, set, clear, isFiltered } = useUrlFilters(NAMES);
  const consumers = useConsumerChoices([values.consumerId], isViewer);
  const offset = usePageOffset();
  const { kind, ...others } = values;
  const list = useStableList({
    key: ['payments', 'list'],
    query: { offset, limit: PAGE_SIZE, ...others, ...(kind === 'ach' || kind === 'wire' ? { kind } : {}) },
    read: async (query: ListQuery<'/v1/payments'>, signal) => {
      const { payments, pagination } = await answerOf(api.GET('/v1/payments', { params: { query }, signal }));
      return { rows: payments, pagination };
    },
    idOf,
    atOf: ({ updatedAt }) => updatedAt,
  });

  const filters = useMemo((): readonly Filter<(typeof NAMES)[number]>[] => {
    return [
      { kind: 'choice', name: 'kind', label: 'Kind', choices: KINDS },
      { kind: 'text', name: 'status', label: 'Newest status', placeholder: 'exact match' },
      ...(isViewer ? [{ kind: 'choice', name: 'consumerId', label: 'Consumer', ...consumers } as const] : []),
      { kind: 'moment', name: 'from', label: 'Newest status from' },
      { kind: 'moment', name: 'to', label: 'Newest status before' },
    ];
  }, [consumers, isViewer]);

  return (
    <>
      <FilterBar filters={filters} values={values} onSet={set} onClear={clear} />
      <ListView
        list={list}
        caption="Newest payments"
        columns={COLUMNS}
        rows={list.data?.rows}
        rowId={idOf}
        rowLink={(row) => paymentPath(`${row.kind}.status`, row.paymentId)}
        empty={
          <EmptyState title={isFiltered ? 'No payment matches' : 'No payments yet'}>
            {isFiltered
              ? 'Change or clear the filters.'
              : 'They appear here as soon as a first status change is accepted.'}
          </EmptyState>
        }
      />
    </>
  );
}

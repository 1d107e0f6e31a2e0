import { EmptyState } from '../../feedback/empty-state';
import { LoadingState } from '../../feedback/loading-state';
import { ProblemAlert } from '../../feedback/problem-alert';
import { HOLDS, HoldInWords, type HoldReason } from '../../formats/hold-in-words';
import { OutcomeInWords } from '../../formats/outcome-in-words';
import { StateBadge, STATES, type DeliveryState } from '../../formats/state-badge';
import { Time } from '../../formats/time';
import type { Schema } from '../../api/schema';
import { Page } from '../../layout/page';
import { DataTable, type Column } from '../../tables/data-table';
import { FilterBar, type Filter } from '../../tables/filter-bar';
import { PAGE_SIZE, Pager } from '../../tables/pager';
import { usePageOffset } from '../../tables/use-page-offset';
import { useUrlFilters } from '../../tables/use-url-filters';
import { useDeliveries } from './use-deliveries';

type Delivery = Schema<'DeliveryDto'>;

const COLUMNS: readonly Column<Delivery>[] = [
  { id: 'payment', header: 'Payment', cell: ({ paymentId }) => paymentId ?? 'without an id' },
  { id: 'state', header: 'State', cell: ({ state }) => <StateBadge state={state} /> },
  {
    id: 'why',
    header: 'Why',
    cell: ({ holdReason, lastOutcome, lastHttpStatus }) =>
      holdReason === null ? (
        <OutcomeInWords outcome={lastOutcome} httpStatus={lastHttpStatus} />
      ) : (
        <HoldInWords reason={holdReason} brief />
      ),
  },
  { id: 'attempts', header: 'Attempts', cell: ({ attemptCount }) => attemptCount },
  { id: 'created', header: 'Accepted', cell: ({ createdAt }) => <Time at={createdAt} /> },
];

const NAMES = ['paymentId', 'state', 'holdReason'] as const;
const FILTERS: readonly Filter<(typeof NAMES)[number]>[] = [
  { kind: 'text', name: 'paymentId', label: 'Payment', placeholder: 'the whole id' },
  {
    kind: 'choice',
    name: 'state',
    label: 'State',
    choices: Object.entries(STATES).map(([value, { label }]) => ({ value, label })),
  },
  {
    kind: 'choice',
    name: 'holdReason',
    label: 'Held because',
    choices: Object.entries(HOLDS).map(([value, { label }]) => ({ value, label })),
  },
];

export function DeliveriesPage() {
  const { values, set, clear, isFiltered } = useUrlFilters(NAMES);
  const offset = usePageOffset();
  const { data, error, refetch } = useDeliveries({
    offset,
    limit: PAGE_SIZE,
    ...(values.paymentId === undefined ? {} : { paymentId: values.paymentId }),
    ...(isState(values.state) ? { state: values.state } : {}),
    ...(isHold(values.holdReason) ? { holdReason: values.holdReason } : {}),
  });
  return (
    <Page title="Deliveries" about="Each event’s way to each consumer, the newest first.">
      <FilterBar filters={FILTERS} values={values} onSet={set} onClear={clear} />
      {error !== null && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <LoadingState what="deliveries" />}
      {data?.deliveries.length === 0 && (
        <EmptyState title={isFiltered ? 'No delivery matches' : 'No deliveries yet'}>
          {isFiltered
            ? 'Change or clear the filters.'
            : 'They appear here as soon as a status change is accepted.'}
        </EmptyState>
      )}
      {data !== undefined && data.deliveries.length > 0 && (
        <DataTable
          caption="Deliveries"
          columns={COLUMNS}
          rows={data.deliveries}
          rowId={({ deliveryId }) => deliveryId}
          rowLink={({ deliveryId }) => `/deliveries/${deliveryId}`}
        />
      )}
      {data !== undefined && <Pager pagination={data.pagination} shown={data.deliveries.length} />}
    </Page>
  );
}

const isState = (value: string | undefined): value is DeliveryState => value !== undefined && value in STATES;
const isHold = (value: string | undefined): value is HoldReason => value !== undefined && value in HOLDS;

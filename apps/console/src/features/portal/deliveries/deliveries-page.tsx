import { answerOf, api, type ListQuery, type Schema } from '../../../api';
import { EmptyState } from '../../../feedback';
import { HOLDS, outcomeInWords, StateBadge, TextLink, Time } from '../../../formats';
import { Page } from '../../../page/page';
import { type Column, FilterBar, ListView, useListPage, useUrlFilters } from '../../../tables';
import { barOf, filterOf } from '../../delivery-filter/delivery-filters';
import { OWN } from '../own-queries';

type Delivery = Schema<'PortalDeliveryDto'>;

const BAR = barOf(
  ['consumerId', 'delivered', 'settled', 'holdReason'],
  ['paymentId', 'missed', 'state', 'from', 'to'],
);
const NAMES = BAR.names satisfies readonly (keyof ListQuery<'/v1/portal/deliveries'>)[];

const COLUMNS: readonly Column<Delivery>[] = [
  { header: 'Payment', cell: ({ paymentId }) => paymentId ?? 'without an id' },
  { header: 'Status', cell: ({ status }) => status ?? 'none' },
  { header: 'State', cell: ({ state }) => <StateBadge state={state} /> },
  { header: 'Attempts', cell: ({ attemptCount }) => attemptCount },
  {
    header: 'Last outcome',
    cell: ({ lastOutcome, lastHttpStatus }) => outcomeInWords(lastOutcome, lastHttpStatus),
  },
  { header: 'Next attempt', cell: (delivery) => <NextAttempt {...delivery} /> },
  { header: 'Accepted', cell: ({ createdAt }) => <Time at={createdAt} /> },
];

/** The own deliveries, newest first. */
export function PortalDeliveriesPage() {
  const { values, set, clear, isFiltered } = useUrlFilters(NAMES);
  const filter = filterOf(values);
  const deliveries = useListPage([OWN, 'deliveries', filter], (page, signal) =>
    answerOf(api.GET('/v1/portal/deliveries', { params: { query: { ...page, ...filter } }, signal })),
  );
  return (
    <Page
      title="Deliveries"
      about={
        <>
          One row for each notification to your endpoint, newest first.{' '}
          <TextLink to="/portal/replays">Resend many</TextLink>
        </>
      }
    >
      <FilterBar filters={BAR.inView} more={BAR.more} values={values} onSet={set} onClear={clear} />
      <ListView
        list={deliveries}
        rows={deliveries.data?.deliveries}
        caption="Deliveries"
        isDense
        columns={COLUMNS}
        rowId={({ deliveryId }) => deliveryId}
        rowLink={({ deliveryId }) => `/portal/deliveries/${deliveryId}`}
        empty={
          <EmptyState title={isFiltered ? 'No delivery matches' : 'No deliveries yet'}>
            {isFiltered
              ? 'Change or clear the filters.'
              : 'They appear here as soon as a payment changes its status.'}
          </EmptyState>
        }
      />
    </Page>
  );
}

function NextAttempt({ state, holdReason, holdInWords, nextAttemptAt }: Delivery) {
  if (state === 'held')
    return <span title={holdInWords ?? ''}>{holdReason !== null && HOLDS[holdReason].label}</span>;
  if (state === 'sending') return <span>Now</span>;
  return <Time at={state === 'queued' ? nextAttemptAt : null} absent="None" />;
}

import { answerOf, api, type Schema } from '../../../api';
import { EmptyState } from '../../../feedback';
import { outcomeInWords, TextLink, Time } from '../../../formats';
import { Page } from '../../../page/page';
import { type Column, FilterBar, ListView, useListPage, useUrlFilters } from '../../../tables';
import { OWN } from '../own-queries';
import { StateBadgeForConsumer, StateForConsumer } from './state-for-consumer';
import { OWN_BAR, ownFilterOf } from './state-filter';

const COLUMNS: readonly Column<Schema<'DeliveryDto'>>[] = [
  { header: 'Payment', cell: ({ paymentId }) => paymentId ?? 'without an id' },
  { header: 'Payment status', cell: ({ status }) => status ?? 'none' },
  { header: 'Delivery', cell: ({ state }) => <StateBadgeForConsumer state={state} /> },
  {
    header: 'What happens',
    cell: (delivery) => <StateForConsumer delivery={delivery} />,
  },
  { header: 'Attempts', cell: ({ attemptCount }) => attemptCount, isNumber: true },
  {
    header: 'Your server',
    cell: ({ lastOutcome, lastHttpStatus }) => outcomeInWords(lastOutcome, lastHttpStatus),
  },
  { header: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
];

/** The own deliveries, newest first. */
export function PortalDeliveriesPage() {
  const { values, set, clear, isFiltered } = useUrlFilters(OWN_BAR.names);
  const filter = ownFilterOf(values);
  const deliveries = useListPage([OWN, 'deliveries', filter], (page, signal) =>
    answerOf(api.GET('/v1/deliveries', { params: { query: { ...page, ...filter } }, signal })),
  );
  return (
    <Page
      title="Deliveries"
      about={
        <>
          One row for each notification to your server, newest first.{' '}
          <TextLink to="/portal/replays">Resend many</TextLink>
        </>
      }
    >
      <FilterBar filters={OWN_BAR.filters} values={values} onSet={set} onClear={clear} />
      <ListView
        list={deliveries}
        rows={deliveries.data?.deliveries}
        caption="Deliveries"
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

import { answerOf, api, type ListQuery } from '../../../api';
import { EmptyState } from '../../../feedback';
import { HOLDS, outcomeInWords, StateBadge, TextLink } from '../../../formats';
import { Page } from '../../../page/page';
import { FilterBar, ListView, useListPage, useUrlFilters } from '../../../tables';
import { deliveryColumns } from '../../deliveries/delivery-columns';
import { barOf, filterOf } from '../../delivery-filter/delivery-filters';
import { OWN } from '../own-queries';

const BAR = barOf(
  ['consumerId', 'delivered', 'settled', 'holdReason'],
  ['paymentId', 'missed', 'state', 'from', 'to'],
);
const NAMES = BAR.names satisfies readonly (keyof ListQuery<'/v1/deliveries'>)[];

const COLUMNS = deliveryColumns({
  state: ({ state }) => <StateBadge state={state} />,
  lastOutcome: ({ lastOutcome, lastHttpStatus }) => outcomeInWords(lastOutcome, lastHttpStatus),
  whyHeld: ({ holdReason }) => holdReason && HOLDS[holdReason].toConsumer,
});

/** The own deliveries, newest first. */
export function PortalDeliveriesPage() {
  const { values, set, clear, isFiltered } = useUrlFilters(NAMES);
  const filter = filterOf(values);
  const deliveries = useListPage([OWN, 'deliveries', filter], (page, signal) =>
    answerOf(api.GET('/v1/deliveries', { params: { query: { ...page, ...filter } }, signal })),
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
      <FilterBar filters={BAR.filters} values={values} onSet={set} onClear={clear} />
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

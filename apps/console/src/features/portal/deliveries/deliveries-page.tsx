import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { answerOf, api, type ListQuery, type Schema } from '../../../api';
import { EmptyState } from '../../../feedback';
import {
  EVENT_TYPES,
  HOLDS,
  OUTCOMES,
  outcomeInWords,
  StateBadge,
  STATES,
  TextLink,
  Time,
} from '../../../formats';
import { Page } from '../../../layout/page';
import {
  type Column,
  type Filter,
  FilterBar,
  ListView,
  PAGE_SIZE,
  usePageOffset,
  useUrlFilters,
} from '../../../tables';
import { OWN } from '../own-queries';

type Delivery = Schema<'PortalDeliveryDto'>;
type Query = ListQuery<'/v1/portal/deliveries'>;

const NAMES = [
  'paymentId',
  'missed',
  'state',
  'status',
  'outcome',
  'httpStatus',
  'eventType',
  'notificationId',
  'from',
  'to',
] as const satisfies readonly (keyof NonNullable<Query>)[];
type Name = (typeof NAMES)[number];

const labelled = (closed: Readonly<Record<string, { label: string }>>) =>
  Object.entries(closed).map(([value, { label }]) => ({ value, label }));

const FILTERS: readonly Filter<Name>[] = [
  { kind: 'text', name: 'paymentId', label: 'Payment', placeholder: 'exact match' },
  { kind: 'choice', name: 'missed', label: 'Missed', choices: [{ value: 'true', label: 'Not delivered' }] },
  { kind: 'choice', name: 'state', label: 'State', choices: labelled(STATES) },
  { kind: 'moment', name: 'from', label: 'Accepted from' },
  { kind: 'moment', name: 'to', label: 'Accepted before' },
];
const MORE: readonly Filter<Name>[] = [
  { kind: 'text', name: 'status', label: 'Status', placeholder: 'exact match' },
  {
    kind: 'choice',
    name: 'outcome',
    label: 'Last outcome',
    choices: Object.entries(OUTCOMES).map(([value, label]) => ({ value, label })),
  },
  { kind: 'text', name: 'httpStatus', label: 'Last HTTP status', placeholder: 'e.g. 401' },
  { kind: 'choice', name: 'eventType', label: 'Kind of payment', choices: labelled(EVENT_TYPES) },
  { kind: 'text', name: 'notificationId', label: 'Notification', placeholder: 'exact match' },
];

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
  const query = { offset: usePageOffset(), limit: PAGE_SIZE, ...filterOf(values) };
  const deliveries = useQuery({
    queryKey: [OWN, 'deliveries', query],
    queryFn: ({ signal }) => answerOf(api.GET('/v1/portal/deliveries', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });
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
      <FilterBar filters={FILTERS} more={MORE} values={values} onSet={set} onClear={clear} />
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

const isIn = <T extends string>(closed: Readonly<Record<T, unknown>>, text: string): text is T =>
  text in closed;

const MISSED = { missed: true } as const;

/** The query of the filters in the address; an unknown value of a closed list is left out. */
function filterOf(values: Readonly<Partial<Record<Name, string>>>): NonNullable<Query> {
  const { missed, state = '', outcome = '', eventType = '', httpStatus, ...texts } = values;
  return {
    ...texts,
    ...(missed === 'true' ? MISSED : {}),
    ...(isIn(STATES, state) ? { state } : {}),
    ...(isIn(OUTCOMES, outcome) ? { outcome } : {}),
    ...(isIn(EVENT_TYPES, eventType) ? { eventType } : {}),
    ...(httpStatus === undefined ? {} : { httpStatus: Number(httpStatus) }),
  };
}

function NextAttempt({ state, holdReason, holdInWords, nextAttemptAt }: Delivery) {
  if (state === 'held')
    return <span title={holdInWords ?? ''}>{holdReason !== null && HOLDS[holdReason].label}</span>;
  if (state === 'sending') return <span>Now</span>;
  return <Time at={state === 'queued' ? nextAttemptAt : null} absent="None" />;
}

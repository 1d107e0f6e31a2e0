import { useDisclosure } from '@mantine/hooks';
import { useEffect, useMemo, useState } from 'react';
import { useLocation } from 'react-router';
import { answerOf, api, type ListQuery } from '../../api';
import { EmptyState } from '../../feedback';
import { Page } from '../../page/page';
import { useMay } from '../../signed-in/use-me';
import {
  FilterBar,
  ListView,
  PAGE_SIZE,
  useDrafts,
  usePageOffset,
  useStableList,
  useUrlFilters,
} from '../../tables';
import { BulkStart } from '../bulk-actions/bulk-start';
import { useConsumerChoices } from '../../queries/use-consumers';
import { DELIVERIES_KEY } from '../../queries/use-delivery';
import { DELIVERY_COLUMNS } from './delivery-columns';
import { DeliveryCommandDialog, RowActions } from './delivery-actions';
import type { Delivery, DeliveryCommand } from './delivery-commands';
import type { FilterName } from '../delivery-filter/delivery-fields';
import { filterOf, leftOut, OPERATORS_BAR } from '../delivery-filter/delivery-filters';
import { keepListInView } from './deliveries-in-view';
import { whyNoBulkAction } from './why-no-bulk-action';

export function DeliveriesPage() {
  const { values, set, clear, isFiltered } = useUrlFilters(OPERATORS_BAR.names);
  const offset = usePageOffset();
  const { search } = useLocation();
  useEffect(() => keepListInView(search), [search]);
  const isOnCall = useMay('oncall');
  const filter = useMemo(() => filterOf(values), [values]);
  const list = useStableList({
    key: [...DELIVERIES_KEY, 'list'],
    query: { offset, limit: PAGE_SIZE, ...filter },
    read: async (query: ListQuery<'/v1/deliveries'>, signal) => {
      const answer = await answerOf(api.GET('/v1/deliveries', { params: { query }, signal }));
      return { rows: answer.deliveries, pagination: answer.pagination };
    },
    idOf: ({ deliveryId }) => deliveryId,
    atOf: ({ createdAt }) => createdAt,
  });
  const { data, error, isPlaceholderData } = list;
  const filters = useFilters(values.consumerId);
  const { drafts, setDraft } = useDrafts<FilterName>();
  const blockedBecause = whyNoBulkAction({
    filters,
    drafts,
    leftOut: leftOut(values),
    list: data !== undefined && !isPlaceholderData ? 'current' : error === null ? 'loading' : 'failed',
  });

  // Kept here, since the row may leave the list while its dialog is open.
  const [chosen, setChosen] = useState<{ command: DeliveryCommand; delivery: Delivery }>();
  const [isAsking, dialog] = useDisclosure(false);
  const onCommand = (command: DeliveryCommand, delivery: Delivery): void => {
    setChosen({ command, delivery });
    dialog.open();
  };

  return (
    <Page
      title="Deliveries"
      about="One row per event and consumer, newest first."
      actions={isOnCall && <BulkStart filter={filter} blockedBecause={blockedBecause} />}
    >
      <FilterBar filters={filters} values={values} onSet={set} onClear={clear} onDraft={setDraft} />
      <ListView
        list={list}
        caption="Deliveries"
        isDense
        columnsKeptAs="deliveries"
        columns={DELIVERY_COLUMNS}
        rows={data?.rows}
        rowId={({ deliveryId }) => deliveryId}
        rowLink={({ deliveryId }) => `/deliveries/${deliveryId}`}
        rowActions={
          isOnCall ? (delivery) => <RowActions delivery={delivery} onCommand={onCommand} /> : undefined
        }
        empty={
          <EmptyState title={isFiltered ? 'No delivery matches' : 'No deliveries yet'}>
            {isFiltered
              ? 'Change or clear the filters. A payment without any delivery may be unrouted: look for it under Payments.'
              : 'They appear here as soon as a status change is accepted.'}
          </EmptyState>
        }
      />
      {chosen !== undefined && <DeliveryCommandDialog {...chosen} opened={isAsking} onClose={dialog.close} />}
    </Page>
  );
}

/** The filters; a consumer that was removed stays chosen. */
function useFilters(consumerId: string | undefined) {
  const consumers = useConsumerChoices([consumerId]);
  return useMemo(
    () =>
      OPERATORS_BAR.filters.map((filter) =>
        filter.name === 'consumerId' ? { ...filter, ...consumers } : filter,
      ),
    [consumers],
  );
}

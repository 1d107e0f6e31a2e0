import { useDisclosure } from '@mantine/hooks';
import { useEffect, useMemo, useState } from 'react';
import { useLocation } from 'react-router';
import { EmptyState } from '../../feedback/empty-state';
import { LoadingState } from '../../feedback/loading-state';
import { ProblemAlert } from '../../feedback/problem-alert';
import { Page } from '../../layout/page';
import { useMay } from '../../session/use-may';
import { DataTable, type Column } from '../../tables/data-table';
import { FilterBar } from '../../tables/filter-bar';
import { PAGE_SIZE, Pager, usePageOffset } from '../../tables/pager';
import { useDrafts } from '../../tables/typed-filter';
import { NewerRows } from '../../tables/use-still-list';
import { useUrlFilters } from '../../tables/use-url-filters';
import { BulkStart } from '../bulk-actions/bulk-start';
import { useAllConsumers } from '../consumers/use-all-consumers';
import { DeliveryActDialog, RowActions } from './delivery-actions';
import type { Delivery, DeliveryAct } from './delivery-acts';
import { DELIVERY_COLUMNS } from './delivery-columns';
import {
  FILTER_NAMES,
  filterOf,
  leftOut,
  mainFilters,
  MORE_FILTERS,
  type FilterName,
} from './delivery-filters';
import { keepListInView, useDeliveries } from './use-deliveries';
import { whyNoBulkAction } from './why-no-bulk-action';

export function DeliveriesPage() {
  const { values, set, clear, isFiltered } = useUrlFilters(FILTER_NAMES);
  const offset = usePageOffset();
  const { search } = useLocation();
  useEffect(() => keepListInView(search), [search]);
  const mayAct = useMay('oncall');
  const filter = useMemo(() => filterOf(values), [values]);
  const list = useDeliveries({ offset, limit: PAGE_SIZE, ...filter });
  const { data, error, refetch, isPlaceholderData } = list;
  const filters = useFilters(values.consumerId);
  const { drafts, setDraft } = useDrafts<FilterName>();
  const blockedBecause = whyNoBulkAction({
    filters: [...filters, ...MORE_FILTERS],
    drafts,
    leftOut: leftOut(values),
    list: data !== undefined && !isPlaceholderData ? 'current' : error === null ? 'loading' : 'failed',
  });

  // The row may leave the list while its dialog is open.
  const [acting, setActing] = useState<{ act: DeliveryAct; delivery: Delivery }>();
  const [isActing, dialog] = useDisclosure(false);
  const columns = useMemo((): readonly Column<Delivery>[] => {
    if (!mayAct) return DELIVERY_COLUMNS;
    const onAct = (act: DeliveryAct, delivery: Delivery): void => {
      setActing({ act, delivery });
      dialog.open();
    };
    const actions = (delivery: Delivery) => <RowActions delivery={delivery} onAct={onAct} />;
    return [...DELIVERY_COLUMNS, { id: 'actions', header: 'Actions', cell: actions }];
  }, [mayAct, dialog]);

  return (
    <Page
      title="Deliveries"
      about="One row per event and consumer, newest first."
      actions={mayAct && <BulkStart filter={filter} blockedBecause={blockedBecause} />}
    >
      <FilterBar
        filters={filters}
        more={MORE_FILTERS}
        values={values}
        onSet={set}
        onClear={clear}
        onDraft={setDraft}
      />
      {error !== null && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <LoadingState what="deliveries" />}
      {data?.rows.length === 0 && (
        <EmptyState title={isFiltered ? 'No delivery matches' : 'No deliveries yet'}>
          {isFiltered
            ? 'Change or clear the filters. A payment without any delivery may be unrouted: look for it under Payments.'
            : 'They appear here as soon as a status change is accepted.'}
        </EmptyState>
      )}
      {data !== undefined && data.rows.length > 0 && (
        <>
          <NewerRows {...list.news} />
          <DataTable
            caption="Deliveries"
            columns={columns}
            rows={data.rows}
            rowId={({ deliveryId }) => deliveryId}
            rowLink={({ deliveryId }) => `/deliveries/${deliveryId}`}
            goneIds={list.goneIds}
          />
        </>
      )}
      {data !== undefined && <Pager pagination={data.pagination} shown={data.rows.length} />}
      {acting !== undefined && <DeliveryActDialog {...acting} opened={isActing} onClose={dialog.close} />}
    </Page>
  );
}

/** The filters in view; a consumer that was removed stays chosen all the same. */
function useFilters(consumerId: string | undefined) {
  const { data: consumers } = useAllConsumers({ forNames: true });
  return useMemo(() => {
    const choices = (consumers ?? [])
      .map(({ id, name }) => ({ value: id, label: name }))
      .toSorted((one, other) => one.label.localeCompare(other.label));
    const isListed = consumerId === undefined || choices.some(({ value }) => value === consumerId);
    return mainFilters(
      isListed ? choices : [...choices, { value: consumerId, label: `Not listed: ${consumerId}` }],
    );
  }, [consumers, consumerId]);
}

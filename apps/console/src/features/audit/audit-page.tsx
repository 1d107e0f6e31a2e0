import { EmptyState } from '../../feedback/empty-state';
import { LoadingState } from '../../feedback/loading-state';
import { ProblemAlert } from '../../feedback/problem-alert';
import { Page } from '../../layout/page';
import { FilterBar } from '../../tables/filter-bar';
import { PAGE_SIZE, Pager } from '../../tables/pager';
import { usePageOffset } from '../../tables/use-page-offset';
import { NewerRows } from '../../tables/use-still-list';
import { useUrlFilters } from '../../tables/use-url-filters';
import { isAuditAction } from './audit-acts';
import { AUDIT_FILTERS, MORE_AUDIT_FILTERS, useAuditFilters } from './audit-filters';
import styles from './audit.module.css';
import { EntryItem } from './entry-item';
import { useAudit, type AuditQuery } from './use-audit';

export function AuditPage() {
  const { values, set, clear, isFiltered } = useUrlFilters(AUDIT_FILTERS);
  const { action, ...rest } = values;
  const query: AuditQuery = {
    offset: usePageOffset(),
    limit: PAGE_SIZE,
    ...rest,
    ...(isAuditAction(action) ? { action } : {}),
  };
  const { data, error, refetch, news } = useAudit(query);
  return (
    <Page
      title="Audit"
      about="Who did what, when and why, the newest first. It can be added to and read, and nothing else."
    >
      <FilterBar
        filters={useAuditFilters(values.target)}
        more={MORE_AUDIT_FILTERS}
        values={values}
        onSet={set}
        onClear={clear}
      />
      {error !== null && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <LoadingState what="the audit log" />}
      {data?.rows.length === 0 && (
        <EmptyState title={isFiltered ? 'No entry matches' : 'Nothing has been done yet'}>
          {isFiltered
            ? 'Change or clear the filters. A name has to be given whole.'
            : 'Every change by a person, a key or the dispatcher itself appears here.'}
        </EmptyState>
      )}
      {data !== undefined && data.rows.length > 0 && (
        <>
          <NewerRows {...news} />
          <ol className={styles['entries']} aria-label="Entries">
            {data.rows.map((entry) => (
              <EntryItem key={entry.id} entry={entry} />
            ))}
          </ol>
        </>
      )}
      {data !== undefined && <Pager pagination={data.pagination} shown={data.rows.length} />}
    </Page>
  );
}

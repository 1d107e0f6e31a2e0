import { useMemo } from 'react';
import { answerOf, api } from '../../api';
import { DownloadButton, EmptyState } from '../../feedback';
import { Time } from '../../formats';
import { Page } from '../../page/page';
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
import { AUDIT_ACTIONS, isAuditAction, type AuditEntry, type AuditQuery } from './audit-actions';
import { actorOf, EntryDetails, EntrySentence, targetOf } from './entry-in-words';

const FILTERS = ['actor', 'action', 'target', 'from', 'to'] as const;
type Name = (typeof FILTERS)[number];

const ACTIONS = Object.entries(AUDIT_ACTIONS).map(([value, [label]]) => ({ value, label }));

const COLUMNS: readonly Column<AuditEntry>[] = [
  { header: 'Time', cell: ({ at }) => <Time at={at} isExact /> },
  { header: 'Who', cell: (entry) => actorOf(entry) },
  { header: 'What', cell: (entry) => <EntrySentence entry={entry} /> },
  { header: 'Reason', cell: ({ reason }) => reason ?? '–', isLong: true },
  { header: 'Role', cell: ({ role }) => role ?? 'automatic' },
  { header: 'Address', cell: ({ address }) => address ?? '–' },
];

export function AuditPage() {
  const { values, set, clear, isFiltered } = useUrlFilters(FILTERS);
  const { action, ...rest } = values;
  const filter: AuditQuery = { ...rest, ...(isAuditAction(action) ? { action } : {}) };
  const audit = useAudit({ ...filter, offset: usePageOffset(), limit: PAGE_SIZE });
  const { data } = audit;
  return (
    <Page
      title="Audit"
      about="Who did what, when and why, newest first. Entries cannot be changed or removed."
      actions={
        <>
          <DownloadButton label="Export CSV" file="audit.csv" load={() => exportAudit(filter, 'text/csv')} />
          <DownloadButton
            label="Export NDJSON"
            file="audit.ndjson"
            load={() => exportAudit(filter, 'application/x-ndjson')}
          />
        </>
      }
    >
      <FilterBar filters={useFilters(values.target)} values={values} onSet={set} onClear={clear} />
      <ListView
        list={audit}
        rows={data?.rows}
        caption="Entries"
        columns={COLUMNS}
        rowId={({ id }) => id}
        rowDetails={(entry) => <EntryDetails entry={entry} />}
        empty={
          <EmptyState title={isFiltered ? 'No entry matches' : 'No entries yet'}>
            {isFiltered
              ? 'Change or clear the filters.'
              : 'Every change by a person, a key or the dispatcher appears here.'}
          </EmptyState>
        }
      />
    </Page>
  );
}

/** The beginning of a target that is a consumer. */
const CONSUMER = 'consumer:';

/** `target` is chosen by a consumer's name; a link may have any other value. */
function useFilters(target: string | undefined): readonly Filter<Name>[] {
  const chosen = target?.startsWith(CONSUMER) === true ? target.slice(CONSUMER.length) : undefined;
  const { choices, onSearch } = useConsumerChoices([chosen]);
  return useMemo(() => {
    const targets = [
      { value: 'queue', label: 'Sending to all consumers' },
      ...choices.map(({ value, label }) => ({ value: `${CONSUMER}${value}`, label })),
    ];
    if (target !== undefined && targets.every(({ value }) => value !== target)) {
      const { name } = targetOf({ target, targetName: null, details: {} });
      targets.push({ value: target, label: `${name} (${target})` });
    }
    return [
      { kind: 'text', name: 'actor', label: 'Who', placeholder: 'part of a name' },
      { kind: 'choice', name: 'action', label: 'Action', choices: ACTIONS },
      { kind: 'choice', name: 'target', label: 'Target', choices: targets, onSearch },
      { kind: 'moment', name: 'from', label: 'From' },
      { kind: 'moment', name: 'to', label: 'Before' },
    ];
  }, [choices, onSearch, target]);
}

/** One page of the audit log, newest first. Entries never change. */
const useAudit = (query: AuditQuery) =>
  useStableList({
    key: ['audit'],
    query,
    read: async (wanted: AuditQuery, signal) => {
      const { entries, pagination } = await answerOf(
        api.GET('/v1/audit', { params: { query: wanted }, signal }),
      );
      return { rows: entries, pagination };
    },
    idOf: ({ id }) => id,
    atOf: ({ at }) => at,
    rowsChange: false,
  });

/** Every entry that matches, from all pages. */
const exportAudit = (query: AuditQuery, accept: 'text/csv' | 'application/x-ndjson'): Promise<Blob> =>
  answerOf(api.GET('/v1/audit', { params: { query }, headers: { accept }, parseAs: 'blob' }));

import { Button, Group, NavLink, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, type ReactNode } from 'react';
import { Link, useNavigate } from 'react-router';
import { answerOf, api, type Schema } from '../../api';
import { LoadingState, ProblemAlert } from '../../feedback';
import { paymentPath } from '../../formats';
import { useMay } from '../../signed-in/use-me';

type Hit = Schema<'SearchHitDto'>;

/** `trace_number` is `trace number`. */
const fieldInWords = (field: Hit['matchedBy']): string =>
  field === 'imad' ? 'IMAD' : field === 'consumer_name' ? 'name' : field.replaceAll('_', ' ');

const PATHS: Readonly<Record<Hit['kind'], string>> = {
  payment: '/payments',
  event: '/events',
  delivery: '/deliveries',
  consumer: '/consumers',
  bulk_action: '/bulk-actions',
};

const pathOf = ({ kind, id, eventType }: Hit): string =>
  kind === 'payment' && eventType !== null ? paymentPath(eventType, id) : `${PATHS[kind]}/${id}`;

interface SearchHitsProps {
  wanted: string;
  /** Runs when a hit is opened. */
  onOpen?: () => void;
  /** The page of a single hit replaces this one in the history, so that Back does not search again. */
  isReplaced?: boolean;
}

/** Everything that has this id; the page of a single hit opens at once. */
export function SearchHits({ wanted, onOpen, isReplaced = false }: SearchHitsProps) {
  const navigate = useNavigate();
  const isViewer = useMay('viewer');
  const { data, error, refetch } = useQuery({
    queryKey: ['search', wanted],
    queryFn: ({ signal }) => answerOf(api.GET('/v1/search', { params: { query: { q: wanted } }, signal })),
    refetchInterval: false,
    gcTime: 0,
  });
  const only = data?.hits.length === 1 ? data.hits[0] : undefined;
  const open = useEffectEvent((hit: Hit) => {
    onOpen?.();
    void navigate(pathOf(hit), { replace: isReplaced });
  });
  useEffect(() => {
    if (only !== undefined) open(only);
  }, [only]);
  if (error !== null)
    return <ProblemAlert error={error} title="The search failed" onRetry={() => void refetch()} />;
  if (data === undefined) return <LoadingState what="the hits" />;
  const searched = isViewer
    ? 'payment, notification, delivery, consumer, bulk action and external id, trace number, IMAD and the beginning of a consumer’s name'
    : 'payment id, notification id, trace number and IMAD of your own events';
  return (
    <>
      <Text size="sm" role="status">
        {data.hits.length === 0
          ? `Nothing found for “${wanted}”. Searched: ${searched}; ids are compared exactly.`
          : `${data.moreRecords ? 'The first 20' : String(data.hits.length)} hits:`}
      </Text>
      {data.hits.map((hit) => (
        <NavLink
          key={`${hit.matchedBy} ${pathOf(hit)}`}
          component={Link}
          to={pathOf(hit)}
          label={hit.title}
          description={`${hit.detail} · found by ${fieldInWords(hit.matchedBy)}`}
          onClick={onOpen}
        />
      ))}
    </>
  );
}

interface SearchFormProps {
  label: string;
  description?: string;
  verb: string;
  initial?: string;
  /** Gets the trimmed text. */
  onSearch: (wanted: string) => void;
  /** Further buttons. */
  children?: ReactNode;
}

/** A field and a button. */
export const SearchForm = ({ label, description, verb, initial, onSearch, children }: SearchFormProps) => (
  <form
    role="search"
    aria-label={label}
    onSubmit={(event) => {
      event.preventDefault();
      const typed = new FormData(event.currentTarget).get('q');
      onSearch(typeof typed === 'string' ? typed.trim() : '');
    }}
  >
    <Group align="flex-end" gap="xs">
      <TextInput
        name="q"
        type="search"
        label={label}
        description={description}
        defaultValue={initial}
        maxLength={255}
        data-autofocus
        flex="1 1 12rem"
      />
      <Button type="submit">{verb}</Button>
      {children}
    </Group>
  </form>
);

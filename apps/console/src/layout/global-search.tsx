import { ActionIcon, Button, Group, Kbd, Modal, NavLink, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from 'react-router';
import { answerOf, api, type Schema } from '../api';
import { ProblemAlert } from '../feedback/problem-alert';
import { paymentPath } from '../formats/event-types';
import { useMay } from '../session/use-me';

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

/** Finds what has this id; one hit opens its page. In the header; `/` and Ctrl-K open it. */
export function GlobalSearch() {
  const [isOpen, { open, close }] = useDisclosure(false);
  useHotkeys([['mod+K', open]], []);
  return (
    <>
      <Button
        variant="default"
        visibleFrom="sm"
        leftSection={<IconSearch size={16} aria-hidden />}
        rightSection={
          <Kbd size="xs" aria-hidden>
            Ctrl K
          </Kbd>
        }
        onClick={open}
        data-search
      >
        Search
      </Button>
      <ActionIcon variant="default" size="lg" hiddenFrom="sm" aria-label="Search" onClick={open}>
        <IconSearch size={20} />
      </ActionIcon>
      <Modal opened={isOpen} onClose={close} title="Search">
        {isOpen && <SearchForm onDone={close} />}
      </Modal>
    </>
  );
}

function SearchForm({ onDone }: { onDone: () => void }) {
  const navigate = useNavigate();
  const isViewer = useMay('viewer');
  const search = useMutation({
    mutationFn: (q: string) => answerOf(api.GET('/v1/search', { params: { query: { q } } })),
    onSuccess: ({ hits }) => {
      const [only, ...others] = hits;
      if (only === undefined || others.length > 0) return;
      onDone();
      void navigate(pathOf(only));
    },
  });
  const { data, error, variables, isPending } = search;
  const looked = isViewer
    ? 'payment, notification, delivery, consumer, bulk action and external id, trace number, IMAD and the beginning of a consumer’s name'
    : 'payment id, notification id, trace number and IMAD of your own events';
  return (
    <form
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        const typed = new FormData(event.currentTarget).get('q');
        const q = typeof typed === 'string' ? typed.trim() : '';
        if (q !== '') search.mutate(q);
      }}
    >
      <Stack gap="sm">
        <Group align="flex-end" gap="xs" wrap="nowrap">
          <TextInput
            name="q"
            type="search"
            label="Any id, or a name"
            maxLength={255}
            data-autofocus
            flex={1}
          />
          <Button type="submit" loading={isPending}>
            Search
          </Button>
        </Group>
        {error !== null && <ProblemAlert error={error} title="The search failed" />}
        <div role="status">
          {data?.hits.length === 0 && (
            <Text>
              Nothing found for “{variables}”. Searched: {looked}; ids are compared exactly.
            </Text>
          )}
          {data !== undefined && data.hits.length > 1 && (
            <Text size="sm">
              {data.moreRecords ? 'The first 20 hits' : `${String(data.hits.length)} hits`}:
            </Text>
          )}
        </div>
        {data?.hits.map((hit) => (
          <NavLink
            key={`${hit.matchedBy} ${pathOf(hit)}`}
            component={Link}
            to={pathOf(hit)}
            label={hit.title}
            description={`${hit.detail} · found by ${fieldInWords(hit.matchedBy)}`}
            onClick={onDone}
          />
        ))}
      </Stack>
    </form>
  );
}

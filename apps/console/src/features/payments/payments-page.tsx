import { Button, Group } from '@mantine/core';
import { Link, useSearchParams } from 'react-router';
import { Page } from '../../page/page';
import { SearchForm, SearchHits } from '../search/search-hits';
import { useMay } from '../../signed-in/use-me';
import { NewestPayments } from './newest-payments';
import { UnroutedEvents } from './unrouted-events';

const LISTS = [
  { to: '/payments', label: 'Newest payments', hasUnrouted: false },
  { to: '/payments?unrouted=true', label: 'Unrouted events', hasUnrouted: true },
] as const;

/** The URL selects the content: `?q=` a search, `?unrouted=true` the unrouted events, else the newest payments. */
export function PaymentsPage() {
  const [search, setSearch] = useSearchParams();
  const isViewer = useMay('viewer');
  const wanted = search.get('q') ?? '';
  const isUnrouted = search.get('unrouted') === 'true';
  return (
    <Page
      title="Payments"
      about={
        isViewer
          ? 'Payments, their statuses, and what each consumer has received.'
          : 'The payments that your key has posted, and what each consumer has received.'
      }
    >
      <SearchForm
        // Created anew when the URL changes by other means.
        key={wanted}
        label="Find a payment"
        description="Transaction id, payment id, notification id, trace number or IMAD; exact match"
        verb="Find"
        initial={wanted}
        onSearch={(q) => setSearch(q === '' ? {} : { q })}
      >
        {wanted !== '' && (
          <Button variant="default" onClick={() => setSearch({})}>
            Show all payments
          </Button>
        )}
      </SearchForm>
      {wanted !== '' && <SearchHits wanted={wanted} isReplaced />}
      {wanted === '' && (
        <>
          <Group component="nav" aria-label="Lists of payments" gap="xs">
            {LISTS.map(({ to, label, hasUnrouted }) => (
              <Button
                key={to}
                component={Link}
                to={to}
                size="compact-md"
                variant={hasUnrouted === isUnrouted ? 'filled' : 'default'}
                aria-current={hasUnrouted === isUnrouted && 'page'}
              >
                {label}
              </Button>
            ))}
          </Group>
          {isUnrouted ? <UnroutedEvents /> : <NewestPayments />}
        </>
      )}
    </Page>
  );
}

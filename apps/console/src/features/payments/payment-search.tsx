import { Button, Group, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import type { SyntheticEvent } from 'react';
import { useSearchParams } from 'react-router';

/** The one box for whatever a caller reads out. What was searched is in the URL. */
export function PaymentSearch({ wanted }: { wanted: string }) {
  const [, setSearch] = useSearchParams();
  const submit = (event: SyntheticEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget).get('q');
    const q = typeof typed === 'string' ? typed.trim() : '';
    setSearch(q === '' ? {} : { q });
  };
  return (
    <form role="search" aria-label="Find a payment" onSubmit={submit}>
      <Group align="flex-end" gap="sm">
        <TextInput
          // Made anew when the URL changes by other means.
          key={wanted}
          name="q"
          type="search"
          label="Find a payment"
          description="Transaction id, payment id, notification id, trace number or IMAD; the whole of it"
          defaultValue={wanted}
          maxLength={255}
          data-search
          style={{ flex: '1 1 20rem' }}
        />
        <Button type="submit" leftSection={<IconSearch size={16} />}>
          Find
        </Button>
        {wanted !== '' && (
          <Button variant="default" onClick={() => setSearch({})}>
            Show all payments
          </Button>
        )}
      </Group>
    </form>
  );
}

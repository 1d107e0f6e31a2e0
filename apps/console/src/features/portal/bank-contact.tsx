import { Text } from '@mantine/core';
import { ContactLink } from '../../formats';
import { useOwnConsumer } from './own-queries';

/** Whom to ask at the bank; nothing if the bank has not said. */
export function BankContact() {
  const contact = useOwnConsumer().data?.supportContact ?? null;
  return (
    contact !== null && (
      <Text>
        Questions? Ask the bank: <ContactLink contact={contact} />
      </Text>
    )
  );
}

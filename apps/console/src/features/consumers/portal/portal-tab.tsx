import { Stack, Text } from '@mantine/core';
import type { Consumer } from '../../../queries/use-consumers';
import { SignInLinks } from './sign-in-links';
import { RequestedUrl } from './requested-url';

/** What operators decide for the consumer's own people: who signs in, and the URL that they request. */
export function PortalTab({ consumer }: { consumer: Consumer }) {
  return (
    <Stack gap="lg" maw={980}>
      <Text>
        In the portal the consumer’s own people see their notifications, resend them, rotate their credentials
        and request another URL. They see nothing of other consumers, and no names of the bank’s people.
      </Text>
      <RequestedUrl consumer={consumer} />
      <SignInLinks consumer={consumer} />
    </Stack>
  );
}

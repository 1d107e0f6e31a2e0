import { Alert, Stack, Text, Title } from '@mantine/core';
import type { ConsumerValues } from '../consumer-form/consumer-values';
import { RequestPreview } from '../consumer-form/request-preview';
import { SettingsTable } from '../settings/settings-table';
import type { NewCredentials } from './new-credentials';

/** Everything once more, before it is registered. */
export function Review({ values, credentials }: { values: ConsumerValues; credentials: NewCredentials }) {
  return (
    <Stack>
      <Title order={2} size="h4">
        Is all of this right?
      </Title>
      <SettingsTable values={values} />
      <Text>
        User name “{credentials.username}”, a password, and{' '}
        {credentials.secret === 'generate'
          ? 'a signing secret that is made now and shown once.'
          : 'the signing secret that was agreed on.'}
        {credentials.clientCertificate.certificate !== '' &&
          ' A client certificate with its key is shown to it.'}
      </Text>
      <RequestPreview url={values.url} timestampUnit={values.timestampUnit} />
      <Alert color="blue" variant="outline" title="From the moment it is registered">
        <Text size="sm">
          every new status of its payments is sent to it. What was accepted before is not; unrouted events can
          be sent by hand under Payments.
        </Text>
      </Alert>
    </Stack>
  );
}

import { Stack, Text } from '@mantine/core';
import { JsonView } from '../../formats/json-view';
import type { Schema } from '../../api/schema';

/** The headers that were sent, and what the consumer answered, as it was recorded. */
export function AttemptEvidence({ attempt }: { attempt: Schema<'AttemptDto'> }) {
  const { requestHeaders, responseHeaders, responseBody, responseTruncated, responseWithheld } = attempt;
  return (
    <Stack gap="sm" py="xs">
      <JsonView what="Request headers (secrets left out)" value={requestHeaders} />
      {responseWithheld && (
        <Text>
          The answer is not shown to the role viewer: a consumer may repeat account numbers in it. Somebody
          with the role oncall sees it.
        </Text>
      )}
      {!responseWithheld && responseHeaders === null && <Text>There was no answer to keep.</Text>}
      {responseHeaders !== null && <JsonView what="Response headers" value={responseHeaders} />}
      {responseBody === '' && <Text>The answer had no body.</Text>}
      {responseBody !== null && responseBody !== '' && (
        <JsonView
          what={responseTruncated ? 'Response body (the first 4 KiB; there was more)' : 'Response body'}
          value={responseBody}
        />
      )}
    </Stack>
  );
}

import { Accordion, Alert, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import type { Schema } from '../../../api/schema';
import { durationInWords } from '../../../formats/duration-in-words';
import { JsonView } from '../../../formats/json-view';
import { Time } from '../../../formats/time';

/** What the consumer said to a test, in words first, byte by byte beneath. */
export function TestResult({ result }: { result: Schema<'TestDeliveryDto'> }) {
  const isGood = result.outcome === 'acknowledged';
  const { clockSkewMs } = result;
  return (
    <Stack gap="sm">
      <Alert
        color={isGood ? 'green' : 'red'}
        variant="outline"
        icon={isGood ? <IconCircleCheck /> : <IconAlertTriangle />}
        title={isGood ? 'The consumer acknowledged it' : 'The consumer did not acknowledge it'}
      >
        <Text size="sm">{result.detail}</Text>
        {!isGood && (
          <Text size="sm">
            <strong>What to do:</strong> {result.advice}
          </Text>
        )}
        {clockSkewMs !== null && (
          <Text size="sm">
            Its clock is {durationInWords(Math.abs(clockSkewMs))} {clockSkewMs > 0 ? 'ahead of' : 'behind'}{' '}
            ours: it may refuse our timestamps.
          </Text>
        )}
        <Text size="sm">
          Sent <Time at={result.startedAt} /> to {result.url} with version {result.credentialVersion} of the
          credentials; it took {durationInWords(result.durationMs)}.
        </Text>
      </Alert>
      <Accordion variant="contained" multiple order={3}>
        <Accordion.Item value="request">
          <Accordion.Control>What we sent</Accordion.Control>
          <Accordion.Panel>
            <Stack gap="xs">
              <JsonView value={result.requestHeaders} what="Request headers" />
              <JsonView value={result.body} what="Request body" />
            </Stack>
          </Accordion.Panel>
        </Accordion.Item>
        <Accordion.Item value="response">
          <Accordion.Control>What it answered</Accordion.Control>
          <Accordion.Panel>
            {result.responseHeaders === null ? (
              <Text>No answer came.</Text>
            ) : (
              <Stack gap="xs">
                <Text size="sm">HTTP {result.httpStatus}</Text>
                <JsonView value={result.responseHeaders} what="Response headers" />
                {result.responseBody !== null && result.responseBody !== '' && (
                  <JsonView
                    value={result.responseBody}
                    what={result.responseTruncated ? 'Response body, cut' : 'Response body'}
                  />
                )}
              </Stack>
            )}
          </Accordion.Panel>
        </Accordion.Item>
      </Accordion>
    </Stack>
  );
}

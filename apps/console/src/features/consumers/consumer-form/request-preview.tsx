import { Code, Paper, Text } from '@mantine/core';
import type { ConsumerValues } from './consumer-values';

interface RequestPreviewProps {
  url: string;
  timestampUnit: ConsumerValues['timestampUnit'];
}

/** The request of every notification and the text that its signature is made of, as the customer will see them. */
export function RequestPreview({ url, timestampUnit }: RequestPreviewProps) {
  const canonical = new URL(url).href;
  const timestamp = timestampUnit === 'seconds' ? '1700000000' : '1700000000000';
  return (
    <Paper component="section" withBorder p="md" aria-label="What will be requested and signed">
      <Text fw={600}>What will be requested</Text>
      <Code block tabIndex={0}>
        {`POST ${canonical}
authorization: Basic <username:password in base64>
content-type: application/json
x-timestamp: ${timestamp}
x-signature: <64 hexadecimal characters>

{"notificationId":"…","eventType":"…","eventDateTime":"…","data":{…}}`}
      </Code>
      <Text fw={600} mt="sm">
        What will be signed
      </Text>
      <Text size="sm">
        HMAC-SHA256 under the signing secret, over these four one after the other without anything between
        them: the verb, the URL, the body byte for byte, the timestamp.
      </Text>
      <Code block tabIndex={0}>{`POST${canonical}<the body>${timestamp}`}</Code>
    </Paper>
  );
}

import { List, Stack, Text } from '@mantine/core';
import { ExactText } from '../../formats/exact-text';
import { JsonView } from '../../formats/json-view';
import type { Schema } from '../../api/schema';

/** What was signed, part by part, and what came of it. */
export function SignatureExplanation({ explanation }: { explanation: Schema<'SignatureExplanationDto'> }) {
  const { parts, stringToSign, signature, headers, notes, credentialVersion } = explanation;
  return (
    <Stack>
      {notes.length > 0 && (
        <List>
          {notes.map((note) => (
            <List.Item key={note}>{note}</List.Item>
          ))}
        </List>
      )}
      <Text>
        Key: the signing secret of version {credentialVersion} of the credentials. Method: HMAC-SHA256 over
        the UTF-8 bytes of the four parts below, in this order, with nothing between them.
      </Text>
      <ExactText what="1. Verb" text={parts.verb} />
      <ExactText what="2. URL" text={parts.url} />
      <ExactText what="3. Body" text={parts.body} />
      <ExactText what="4. Timestamp (x-timestamp)" text={parts.timestamp} />
      <ExactText what="All of it: the exact string that is signed" text={stringToSign} />
      <ExactText what="Signature (x-signature)" text={signature} />
      <JsonView what="Headers of the attempt (secrets left out)" value={headers} />
    </Stack>
  );
}

import { List, Stack, Text, Title } from '@mantine/core';
import type { Schema } from '../../../api/schema';
import { JsonView } from '../../../formats/json-view';
import { VerbatimText } from '../../../formats/verbatim-text';

/** What is signed, piece by piece, and the signature of it. */
export function Explanation({ explanation }: { explanation: Schema<'SignatureExplanationDto'> }) {
  const { parts, stringToSign, signature, headers, notes, credentialVersion } = explanation;
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">
        Explained with version {credentialVersion}
      </Title>
      {notes.length > 0 && (
        <List>
          {notes.map((note) => (
            <List.Item key={note}>{note}</List.Item>
          ))}
        </List>
      )}
      <VerbatimText value={signature} what="Signature" />
      <VerbatimText value={stringToSign} what="Exactly what is signed" />
      <Text size="sm">
        It is these four, one after the other without anything between them; its UTF-8 bytes go into
        HMAC-SHA256.
      </Text>
      <VerbatimText value={parts.verb} what="1. Verb" />
      <VerbatimText value={parts.url} what="2. URL" />
      <VerbatimText value={parts.body} what="3. Body" />
      <VerbatimText value={parts.timestamp} what="4. Timestamp" />
      <JsonView value={headers} what="Headers" />
    </Stack>
  );
}

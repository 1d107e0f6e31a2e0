import { Anchor, Paper, Stack, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import { CopyButton } from '../../../formats/copy-button';
import { useMay } from '../../../session/use-may';
import type { Consumer } from '../use-all-consumers';

/** Whom to call, and what colleagues have written down. */
export function ContactCard({ consumer: { contact, notes } }: { consumer: Consumer }) {
  const isOperator = useMay('operator');
  return (
    <Paper component="section" withBorder p="md" aria-label="Whom to call">
      <Stack gap="xs">
        <Title order={2} size="h4">
          Whom to call
        </Title>
        {contact === null ? (
          <Text>
            Nobody is named.{' '}
            {isOperator ? (
              <Anchor component={Link} to="?tab=settings">
                Name a contact
              </Anchor>
            ) : (
              'Ask an operator to name a contact under Settings.'
            )}
          </Text>
        ) : (
          <Text size="lg" fw={700} style={{ overflowWrap: 'anywhere' }}>
            {contact} <CopyButton value={contact} what="the contact" />
          </Text>
        )}
        {notes !== null && <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{notes}</Text>}
      </Stack>
    </Paper>
  );
}

import { Button, Stack, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import type { Schema } from '../../../api/schema';
import { SecretOnce } from '../../../feedback/secret-once';
import { Page } from '../../../layout/page';
import { TestForm } from '../trying/test-form';

/** After registering: the secret, and whether the customer's system takes a test. */
export function Onboarded({ consumer }: { consumer: Schema<'ConsumerCreatedDto'> }) {
  return (
    <Page title={`${consumer.name} is registered`} about="Two things are left: the secret, and a test.">
      <Stack maw={860}>
        {consumer.signingSecret !== undefined && (
          <SecretOnce what="Signing secret" value={consumer.signingSecret}>
            Copy it and hand it to the customer now, by a way that you trust.
          </SecretOnce>
        )}
        <Text>
          It is asked for POST requests at {consumer.url}. If that differs from what you typed, this is the
          text to sign.
        </Text>
        <Title order={2} size="h4">
          Does it work?
        </Title>
        <TestForm consumer={consumer} />
        <Button
          component={Link}
          to={`/consumers/${consumer.id}`}
          variant="default"
          style={{ alignSelf: 'flex-start' }}
        >
          {consumer.signingSecret === undefined
            ? 'To the consumer'
            : 'I have kept the secret: to the consumer'}
        </Button>
      </Stack>
    </Page>
  );
}

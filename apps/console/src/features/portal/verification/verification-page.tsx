import { Stack, Text } from '@mantine/core';
import { ProblemError } from '../../../api';
import { EmptyState, QueryState } from '../../../feedback';
import { Page } from '../../../page/page';
import { Section } from '../../../page/section';
import { ComparisonForm } from '../../consumers/signature/comparison-form';
import {
  compare,
  SignatureExplanation,
  useExplanation,
} from '../../consumers/signature/signature-explanation';
import { useCredentials } from '../../../queries/use-consumers';
import { useMe } from '../../../signed-in/use-me';
import { BankContact } from '../bank-contact';
import { useOwnConsumer } from '../own-queries';
import { Verifiers } from './verifiers';

/** How to verify a signature, with the own last notification as the example, and a comparison with one's own signature. */
export function PortalVerificationPage() {
  const consumer = useOwnConsumer();
  const id = useMe().data?.consumerId ?? '';
  const { data: versions } = useCredentials(id);
  const example = useExplanation(id, 'last');
  const isNothingSent = example.error instanceof ProblemError && example.error.status === 409;
  return (
    <Page
      title="Verification"
      about="For your engineers: how your software makes sure that a notification comes from the bank. Refuse what you cannot verify."
    >
      <Stack gap="lg" maw={860}>
        <Verifiers />
        <Section title="Your last notification, step by step">
          {consumer.data !== undefined && isNothingSent && (
            <Text>
              The signature is HMAC-SHA256 with your signing secret over POST, your address, the body, and the
              time in the request (header x-timestamp), which is in {consumer.data.timestampUnit}.
            </Text>
          )}
          {isNothingSent ? (
            <EmptyState title="No example yet">{example.error?.message}</EmptyState>
          ) : (
            <QueryState query={example} what="example" />
          )}
          {example.data !== undefined && <SignatureExplanation explanation={example.data} />}
        </Section>
        <Section title="Compare your signature">
          <Text>
            Your software computes another signature? Paste it with the text that it is computed from. The
            answer says what is done differently.
          </Text>
          <QueryState query={consumer} what="settings" />
          {consumer.data !== undefined && !example.isLoading && (
            <ComparisonForm
              whose="own"
              url={consumer.data.url}
              versions={versions ?? []}
              signed={example.data ?? null}
              compare={(body) => compare(id, body)}
            />
          )}
        </Section>
        <BankContact />
      </Stack>
    </Page>
  );
}

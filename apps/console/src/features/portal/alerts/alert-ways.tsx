import { Alert, Button, List, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { answerOf, api, type Schema } from '../../../api';
import { ProblemAlert } from '../../../feedback';
import { isKey, OUTCOMES, Time } from '../../../formats';
import { Section } from '../../../page/section';

/** Why a message was not accepted, as a sentence. */
function faultInWords(fault: string): string {
  if (fault === 'mail') return 'The bank’s mail server did not accept it.';
  if (fault === 'bank') return 'There is a fault at the bank. Contact the bank.';
  return `The answer of your server: ${isKey(OUTCOMES, fault) ? OUTCOMES[fault] : fault}.`;
}

/** What has come of the alerts by one way: an address is not confirmed before, so a person can see whether they arrive. */
export const LastAlert = ({ way: { lastSentAt, fault } }: { way: Schema<'AlertWayDto'> }) =>
  fault === null ? (
    <Text size="sm">
      Last alert: <Time at={lastSentAt} absent="none yet" />
    </Text>
  ) : (
    <Alert color="orange" title="The newest alert was not accepted">
      {faultInWords(fault)} We try for 24 hours.
    </Alert>
  );

/** Sends a test message by the saved ways, and shows whether each was accepted. */
export function TestAlerts({ chosen: { mail, webhook } }: { chosen: Schema<'AlertsDto'> }) {
  const test = useMutation({ mutationFn: () => answerOf(api.POST('/v1/portal/alerts/test')) });
  return (
    <Section title="Try it">
      <Text>Sends a message that is marked as a test to what is saved. At most 10 in an hour.</Text>
      <Button
        variant="default"
        loading={test.isPending}
        disabled={mail === null && webhook === null}
        onClick={() => test.mutate()}
        style={{ alignSelf: 'flex-start' }}
      >
        Send a test message
      </Button>
      <div role="status">{test.data !== undefined && <Tested {...test.data} />}</div>
      {test.error !== null && <ProblemAlert error={test.error} title="No test message was sent" />}
    </Section>
  );
}

const Tested = ({ mail, webhook }: Schema<'AlertsTestedDto'>) => (
  <List>
    {mail !== null && (
      <List.Item>
        Mail:{' '}
        {mail.fault === null
          ? 'on its way. If it does not arrive, check the addresses.'
          : faultInWords(mail.fault)}
      </List.Item>
    )}
    {webhook !== null && (
      <List.Item>
        Webhook: {webhook.fault === null ? 'your server has accepted it.' : faultInWords(webhook.fault)}
      </List.Item>
    )}
  </List>
);

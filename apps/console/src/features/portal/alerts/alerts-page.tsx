import { Button, Checkbox, Modal, Stack, TagsInput, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf, api, type Schema } from '../../../api';
import { fieldFaults, ProblemAlert, QueryState, StoredSecret, useCommand } from '../../../feedback';
import { Page } from '../../../page/page';
import { Section } from '../../../page/section';
import { OWN } from '../own-queries';
import { LastAlert, TestAlerts } from './alert-ways';

type Alerts = Schema<'AlertsDto'>;
type Kind = Alerts['kinds'][number];

const KINDS: readonly { readonly kind: Kind; readonly label: string; readonly description: string }[] = [
  {
    kind: 'endpoint_down',
    label: 'Your server does not accept notifications',
    description: 'And when it has accepted them again for 10 minutes',
  },
  {
    kind: 'credentials_change',
    label: 'The credentials change',
    description: 'When there is a new version, and 24 hours before we use it',
  },
  {
    kind: 'replay_done',
    label: 'Your people had notifications sent again',
    description: 'When we have found all of them, with their number',
  },
];

/** Which alerts the own people get, and where. */
export function PortalAlertsPage() {
  const alerts = useQuery({
    queryKey: [OWN, 'alerts'],
    queryFn: ({ signal }) => answerOf(api.GET('/v1/portal/alerts', { signal })),
  });
  const [secret, setSecret] = useState<string | null>(null);
  const forget = (): void => setSecret(null);
  return (
    <Page
      title="Alerts"
      about="A message to your people when something needs their attention. Nobody gets one until you choose it here."
    >
      <QueryState query={alerts} what="alerts" />
      {alerts.data !== undefined && (
        <Stack maw={560} gap="lg">
          <AlertsForm chosen={alerts.data} onSecret={setSecret} />
          <TestAlerts chosen={alerts.data} />
        </Stack>
      )}
      <Modal
        opened={secret !== null}
        onClose={forget}
        title="The webhook is saved"
        size="lg"
        closeOnClickOutside={false}
        closeOnEscape={false}
        withCloseButton={false}
      >
        {secret !== null && (
          <StoredSecret what="Signing secret" value={secret} onDone={forget}>
            Copy it now into the system that receives the alerts. They are signed like your notifications,
            with this secret.
          </StoredSecret>
        )}
      </Modal>
    </Page>
  );
}

/** The choice of alerts. The webhook's URL is never shown again: an empty field keeps it. */
function AlertsForm({ chosen, onSecret }: { chosen: Alerts; onSecret: (secret: string) => void }) {
  const run = useCommand();
  const { kinds, recipients, host, mail, webhook } = chosen;
  const form = useForm({ initialValues: { kinds, recipients, url: '', isWebhookRemoved: false } });
  const saving = useMutation({
    mutationFn: ({ url, isWebhookRemoved, ...body }: typeof form.values) =>
      run(
        answerOf(
          api.PUT('/v1/portal/alerts', {
            body: {
              ...body,
              ...(isWebhookRemoved ? { url: null } : url.trim() === '' ? {} : { url: url.trim() }),
            },
          }),
        ),
        'Saved',
        'Your alerts are as you chose them.',
        [OWN, 'alerts'],
      ),
    // A signing secret is not kept in memory after it was shown.
    gcTime: 0,
    onSuccess: ({ signingSecret }) => {
      form.setValues({ url: '', isWebhookRemoved: false });
      if (signingSecret !== undefined) onSecret(signingSecret);
    },
    onError: (error) => form.setErrors(fieldFaults(error)),
  });
  return (
    <form onSubmit={form.onSubmit((values) => saving.mutate(values))} noValidate>
      <Stack gap="lg">
        <Section title="When you get a message">
          <Checkbox.Group aria-label="When you get a message" {...form.getInputProps('kinds')}>
            <Stack gap="xs">
              {KINDS.map(({ kind, ...words }) => (
                <Checkbox key={kind} value={kind} {...words} />
              ))}
            </Stack>
          </Checkbox.Group>
        </Section>
        <Section title="Where we send it">
          <TagsInput
            label="Mail addresses"
            description="At most 5. Press Enter after each"
            maxTags={5}
            {...form.getInputProps('recipients')}
          />
          {mail !== null && <LastAlert way={mail} />}
          <TextInput
            type="url"
            label="Webhook URL"
            description={
              host === null
                ? 'The address of a program of yours: we post each alert there as JSON, signed like your notifications'
                : `We post each alert to ${host}. Leave the field empty to keep that URL`
            }
            maxLength={2_048}
            autoComplete="off"
            disabled={form.values.isWebhookRemoved}
            {...form.getInputProps('url')}
          />
          {host !== null && (
            <Checkbox
              label={`Remove the webhook at ${host}`}
              {...form.getInputProps('isWebhookRemoved', { type: 'checkbox' })}
            />
          )}
          {webhook !== null && <LastAlert way={webhook} />}
        </Section>
        <Text size="sm" c="dimmed">
          You get at most one alert of a kind in 10 minutes. An alert never contains payments.
        </Text>
        {saving.error !== null && <ProblemAlert error={saving.error} title="Nothing was saved" />}
        <Button type="submit" loading={saving.isPending} style={{ alignSelf: 'flex-start' }}>
          Save alerts
        </Button>
      </Stack>
    </form>
  );
}

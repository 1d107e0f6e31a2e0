import { Accordion, Alert, Button, Modal, Select, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf, api, type Schema } from '../../../api';
import { ProblemAlert } from '../../../feedback';
import { durationInWords, EVENT_TYPES, JsonView, Time, skewInWords } from '../../../formats';
import { useCredentials, type Consumer } from '../../../queries/use-consumers';

interface TestFormProps {
  consumer: Pick<Consumer, 'id' | 'eventTypes'>;
  /** The version that is selected first. */
  credentials?: 'current' | 'next';
  /** The text of the button. */
  send?: string;
  onAcknowledged?: () => void;
}

interface TestDialogProps extends TestFormProps {
  consumer: Pick<Consumer, 'id' | 'name' | 'eventTypes'>;
  opened: boolean;
  onClose: () => void;
}

export function TestDialog({ opened, onClose, ...form }: TestDialogProps) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      size="lg"
      title={`Send a test delivery to ${form.consumer.name}`}
    >
      {opened && <TestForm {...form} />}
    </Modal>
  );
}

/** Sends a marked sample now and shows the answer. */
export function TestForm({
  consumer: { id, eventTypes },
  send = 'Send test',
  onAcknowledged,
  ...props
}: TestFormProps) {
  const client = useQueryClient();
  const [eventType, setEventType] = useState(eventTypes[0]);
  const [credentials, setCredentials] = useState(props.credentials ?? 'current');
  const { data: versions } = useCredentials(id);
  const hasScheduled = versions?.some(({ state }) => state === 'coming') === true;
  const test = useMutation({
    mutationFn: (body: Schema<'TestConsumerDto'>) =>
      answerOf(api.POST('/v1/consumers/{id}/test', { params: { path: { id } }, body })),
    onSuccess: ({ outcome }) => {
      if (outcome === 'acknowledged') onAcknowledged?.();
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['audit'] }),
  });
  return (
    <Stack>
      <Text>
        Sends a sample now whose IDs begin with TEST-, also while other notifications wait. Deliveries and
        health are not affected.
      </Text>
      {eventTypes.length > 1 && (
        <Select
          label="Notification"
          data={eventTypes.map((value) => ({ value, label: EVENT_TYPES[value].label }))}
          value={eventType ?? null}
          onChange={(value) => setEventType(eventTypes.find((type) => type === value))}
          allowDeselect={false}
        />
      )}
      {(hasScheduled || credentials === 'next') && (
        <Select
          label="Credentials"
          data={[
            { value: 'current', label: 'Current' },
            { value: 'next', label: 'Scheduled' },
          ]}
          value={credentials}
          onChange={(value) => setCredentials(value === 'next' ? 'next' : 'current')}
          allowDeselect={false}
        />
      )}
      <Button
        onClick={() => test.mutate({ credentials, ...(eventType === undefined ? {} : { eventType }) })}
        loading={test.isPending}
        style={{ alignSelf: 'flex-start' }}
      >
        {test.data === undefined ? send : 'Send again'}
      </Button>
      <div role="status">{test.data !== undefined && <TestResult result={test.data} />}</div>
      {test.error !== null && <ProblemAlert error={test.error} title="The test was not sent" />}
    </Stack>
  );
}

/** The result of a test: a summary, then the request and the response. */
function TestResult({ result }: { result: Schema<'TestDeliveryDto'> }) {
  const isGood = result.outcome === 'acknowledged';
  const { clockSkewMs, responseBody } = result;
  return (
    <Stack gap="sm">
      <Alert
        color={isGood ? 'green' : 'red'}
        icon={isGood ? <IconCircleCheck /> : <IconAlertTriangle />}
        title={isGood ? 'Acknowledged' : 'Not acknowledged'}
      >
        {result.detail !== null && <Text size="sm">{result.detail}</Text>}
        {!isGood && (
          <Text size="sm">
            <strong>What to do:</strong> {result.advice}
          </Text>
        )}
        {clockSkewMs !== null && (
          <Text size="sm">
            The server’s clock is {skewInWords(clockSkewMs)}: it can refuse the timestamps.
          </Text>
        )}
        <Text size="sm">
          Sent to {result.url} with version {result.credentialVersion} of the credentials,{' '}
          <Time at={result.startedAt} />. {result.httpStatus === null ? 'Ended' : 'Answered'} after{' '}
          {durationInWords(result.durationMs)}.
        </Text>
      </Alert>
      <Accordion variant="contained" multiple order={3}>
        <Accordion.Item value="request">
          <Accordion.Control>Request</Accordion.Control>
          <Accordion.Panel>
            <JsonView value={result.requestHeaders} what="Request headers" />
            <JsonView value={result.body} what="Request body" />
          </Accordion.Panel>
        </Accordion.Item>
        <Accordion.Item value="response">
          <Accordion.Control>Response</Accordion.Control>
          <Accordion.Panel>
            <Text size="sm">
              {result.httpStatus === null ? 'No response.' : `HTTP ${String(result.httpStatus)}`}
            </Text>
            {result.responseHeaders !== null && (
              <JsonView value={result.responseHeaders} what="Response headers" />
            )}
            {(responseBody ?? '') !== '' && (
              <JsonView
                value={responseBody}
                what={result.responseTruncated ? 'Response body (first 4 KiB)' : 'Response body'}
              />
            )}
          </Accordion.Panel>
        </Accordion.Item>
      </Accordion>
    </Stack>
  );
}

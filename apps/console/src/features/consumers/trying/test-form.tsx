import { Button, Select, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf } from '../../../api/answer-of';
import { api } from '../../../api/client';
import type { Schema } from '../../../api/schema';
import { ProblemAlert } from '../../../feedback/problem-alert';
import { EVENT_TYPE_LABELS, isEventType } from '../consumer-form/event-types';
import { useCredentials } from '../credentials/use-credentials';
import type { Consumer } from '../use-all-consumers';
import { TestResult } from './test-result';

/** Sends a marked sample now and shows what the consumer said. `credentials` preselects which version to try. */
export function TestForm(props: { consumer: Consumer; credentials?: 'current' | 'next' }) {
  const { id, eventTypes } = props.consumer;
  const client = useQueryClient();
  const { data: versions } = useCredentials(id);
  const [eventType, setEventType] = useState(eventTypes[0]);
  const [credentials, setCredentials] = useState(props.credentials ?? 'current');
  const hasComing = versions?.some(({ state }) => state === 'coming') ?? false;
  const test = useMutation({
    mutationFn: (body: Schema<'TestConsumerDto'>) =>
      answerOf(api.POST('/v1/consumers/{id}/test', { params: { path: { id } }, body })),
    onSettled: () => client.invalidateQueries({ queryKey: ['audit'] }),
  });
  return (
    <Stack>
      <Text>
        A sample that is marked as a test (its ids begin with TEST-) is sent now, beside all deliveries. No
        delivery is disturbed, also while the consumer is paused or taken to be down.
      </Text>
      <Select
        label="What to send"
        data={eventTypes.map((value) => ({ value, label: EVENT_TYPE_LABELS[value] }))}
        value={eventType ?? null}
        onChange={(value) => isEventType(value) && setEventType(value)}
        allowDeselect={false}
      />
      {(hasComing || credentials === 'next') && (
        <Select
          label="With which credentials"
          data={[
            { value: 'current', label: 'Those in force' },
            { value: 'next', label: 'The coming ones' },
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
        {test.data === undefined ? 'Send the test now' : 'Send it again'}
      </Button>
      <div role="status">{test.data !== undefined && <TestResult result={test.data} />}</div>
      {test.error !== null && <ProblemAlert error={test.error} title="The test was not sent" />}
    </Stack>
  );
}

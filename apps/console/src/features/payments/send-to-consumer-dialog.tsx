import { Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { answerOf, api, type Schema } from '../../api';
import { ReasonDialog, useCommand } from '../../feedback';
import { searchedByApi } from '../../tables';
import { useConsumerSearch } from '../../queries/use-consumers';

interface SendToConsumerDialogProps {
  /** The event; null while the dialog is closed. */
  event: Pick<Schema<'EventDto'>, 'notificationId' | 'eventType' | 'paymentId' | 'status'> | null;
  /** Consumers that have a delivery of it already: retry that one instead. */
  existing?: readonly string[];
  onClose: () => void;
}

/** Sends one event to one more consumer, manually and with a reason. */
export function SendToConsumerDialog({ event, existing = [], onClose }: SendToConsumerDialogProps) {
  const run = useCommand();
  const { found, onSearch } = useConsumerSearch(event !== null);
  const [chosen, setChosen] = useState<string | null>(null);
  const close = (): void => {
    setChosen(null);
    onClose();
  };
  const choices = (found ?? [])
    .filter(
      ({ id, eventTypes }) =>
        event !== null && eventTypes.includes(event.eventType) && !existing.includes(id),
    )
    .map(({ id, name, externalId }) => ({
      value: id,
      label: externalId === null ? name : `${name} (${externalId})`,
    }));
  const send = async (reason: string): Promise<void> => {
    if (event === null || chosen === null) return;
    const params = { path: { notificationId: event.notificationId } };
    const body = { reason, consumers: [chosen] };
    const name = found?.find(({ id }) => id === chosen)?.name ?? 'the consumer';
    const sending = answerOf(api.POST('/v1/events/{notificationId}/deliveries', { params, body }));
    await run(sending, 'Queued', `The event is being sent to ${name}.`);
  };
  return (
    <ReasonDialog
      opened={event !== null}
      onClose={close}
      title="Send to a consumer"
      confirm="Send"
      isComplete={chosen !== null}
      onConfirm={send}
      effect={
        <Stack>
          <Text>
            The status “{event?.status ?? 'none'}” of {event?.paymentId ?? 'an event without a payment id'} is
            sent to one more consumer, signed and in order like any other. It cannot be recalled once it has
            arrived. An event that provably belongs to another customer is refused.
          </Text>
          <Select
            label="Consumer"
            placeholder={choices.length === 0 ? 'No consumer takes this type' : 'Choose one'}
            data={choices}
            value={chosen}
            onChange={setChosen}
            // A chosen option's label is not a search.
            onSearchChange={(text) => choices.some(({ label }) => label === text) || onSearch(text)}
            filter={searchedByApi}
            searchable
            required
          />
        </Stack>
      }
    />
  );
}

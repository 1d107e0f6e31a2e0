import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { answerOf, doneBy } from '../../api/answer-of';
import { api } from '../../api/client';
import type { Consumer } from './use-all-consumers';

/** What a person may do to a consumer as a whole; each says afterwards what it did. */
export function useConsumerActions({ id, name }: Consumer) {
  const client = useQueryClient();
  const params = { path: { id } };
  const tell = async (title: string, message: string): Promise<void> => {
    notifications.show({ color: 'green', title, message });
    await client.invalidateQueries();
  };
  return {
    pause: async (reason: string): Promise<void> => {
      await answerOf(api.POST('/v1/consumers/{id}/pause', { params, body: { reason } }));
      await tell(`${name} is paused`, 'Its deliveries wait until it is resumed. None is lost.');
    },
    resume: async (reason: string): Promise<void> => {
      await answerOf(api.POST('/v1/consumers/{id}/resume', { params, body: { reason } }));
      await tell(`${name} is resumed`, 'What waited goes out now, in order.');
    },
    remove: async (): Promise<void> => {
      await doneBy(api.DELETE('/v1/consumers/{id}', { params }));
      notifications.show({
        color: 'green',
        title: `${name} is removed`,
        message: 'What was open for it is cancelled.',
      });
      // Its own screen is left alone: there is nothing more to ask for.
      await client.invalidateQueries({ queryKey: ['consumers'], exact: true });
    },
  };
}

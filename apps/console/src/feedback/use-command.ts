import { notifications } from '@mantine/notifications';
import { useQueryClient, type QueryKey } from '@tanstack/react-query';

/** Runs a change, shows what it did, and reads again what the screens show; with `queryKey` that part only. */
export function useCommand() {
  const client = useQueryClient();
  return async <T>(
    change: Promise<T>,
    title: string,
    message: string | ((answer: T) => string),
    queryKey?: QueryKey,
  ): Promise<T> => {
    const answer = await change;
    const words = typeof message === 'string' ? message : message(answer);
    notifications.show({ color: 'green', title, message: words });
    await client.invalidateQueries(queryKey === undefined ? {} : { queryKey });
    return answer;
  };
}

import { useQuery } from '@tanstack/react-query';
import { answerOf } from '../../api/answer-of';
import { api } from '../../api/client';

const PAGE = 100;

/** Every consumer as something to choose from, by name. */
export function useConsumerChoices() {
  return useQuery({
    queryKey: ['consumers', 'choices'],
    queryFn: async ({ signal }) => {
      const choices: { value: string; label: string }[] = [];
      for (let offset = 0, more = true; more; offset += PAGE) {
        const query = { offset, limit: PAGE };
        const page = await answerOf(api.GET('/v1/consumers', { params: { query }, signal }));
        choices.push(...page.consumers.map(({ id, name }) => ({ value: id, label: name })));
        more = page.pagination.moreRecords;
      }
      return choices.toSorted((one, other) => one.label.localeCompare(other.label));
    },
    // Consumers come and go by the week; there may be thousands.
    refetchInterval: 60_000,
    staleTime: 30_000,
  });
}

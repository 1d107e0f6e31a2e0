import { useQuery } from '@tanstack/react-query';
import { answerOf, api } from '../../api';

/** More are only counted as “or more”. */
const AT_ONCE = 100;

/** The requested URLs that wait for an operator, of all consumers. */
export const useWaitingUrlRequests = () =>
  useQuery({
    queryKey: ['url-requests', 'waiting'],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/v1/url-requests', { params: { query: { state: 'waiting', limit: AT_ONCE } }, signal }),
      ),
  });

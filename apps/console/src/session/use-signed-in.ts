import { useQueryClient } from '@tanstack/react-query';
import { ME_KEY, type Me } from './use-me';

/** Begins anew as whoever has just signed in: what somebody else was shown is forgotten. */
export function useSignedIn(): (me: Me) => void {
  const client = useQueryClient();
  return (me) => {
    client.clear();
    client.setQueryData(ME_KEY, me);
  };
}

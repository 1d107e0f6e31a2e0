import { useSearchParams } from 'react-router';

/** How many records of a list stand before this page; from the URL, so that a page can be linked to. */
export function usePageOffset(): number {
  const [search] = useSearchParams();
  const offset = Number(search.get('offset') ?? 0);
  return Number.isSafeInteger(offset) && offset > 0 ? offset : 0;
}

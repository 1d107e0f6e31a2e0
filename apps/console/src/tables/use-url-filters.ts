import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router';

export type UrlFilters<Name extends string> = Partial<Record<Name, string>>;

/** Changes filters in the URL and returns to the first page; `isCorrection` replaces the previous change in the history. */
export function useChangeFilters() {
  const [, setSearch] = useSearchParams();
  return useCallback(
    (changes: Readonly<Record<string, string | null>>, { isCorrection = false } = {}) => {
      // The address itself: the last render may lack a recent change, which would be undone.
      const after = new URLSearchParams(window.location.search);
      after.delete('offset');
      for (const [name, value] of Object.entries(changes)) {
        if (value === null || value === '') after.delete(name);
        else after.set(name, value);
      }
      setSearch(after, { replace: isCorrection });
    },
    [setSearch],
  );
}

/** The filters of a list, kept in the URL: a link shows the same list, and Back undoes a change. */
export function useUrlFilters<Name extends string>(names: readonly Name[]) {
  const [search, setSearch] = useSearchParams();
  const change = useChangeFilters();
  const values = useMemo(() => {
    const found: UrlFilters<Name> = {};
    for (const name of names) {
      const value = search.get(name);
      if (value !== null && value !== '') found[name] = value;
    }
    return found;
  }, [search, names]);
  const set = useCallback(
    (name: Name, value: string | null, how?: { isCorrection: boolean }) => change({ [name]: value }, how),
    [change],
  );
  const clear = useCallback(() => setSearch({}), [setSearch]);
  return { values, set, clear, isFiltered: Object.keys(values).length > 0 };
}

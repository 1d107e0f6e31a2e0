import { useCallback, useState } from 'react';

/** What a typed filter shows beside what applies: `typing` applies in a moment, `incomplete` is no value at all. */
export type Draft = 'typing' | 'incomplete';

/** The filters whose fields show something that does not apply (yet). Hand `setDraft` to the filter bar. */
export function useDrafts<Name extends string>() {
  const [drafts, setDrafts] = useState<ReadonlyMap<Name, Draft>>(new Map());
  const setDraft = useCallback((name: Name, draft: Draft | null) => {
    setDrafts((before) => {
      if (before.get(name) === (draft ?? undefined)) return before;
      const after = new Map(before);
      if (draft === null) after.delete(name);
      else after.set(name, draft);
      return after;
    });
  }, []);
  return { drafts, setDraft };
}

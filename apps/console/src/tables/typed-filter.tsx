import { TextInput } from '@mantine/core';
import { useCallback, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { fieldOf, fullMoment, instantOf, localZone, useZone, UTC, zoneLabel } from '../formats';

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

interface TypedFilterProps<Name extends string> {
  filter: { kind: 'text' | 'moment'; name: Name; label: string; placeholder?: string };
  /** As it is in the URL. */
  value: string;
  /** `isCorrection`: the field was applied since it was entered, so Back need not go through every stop in typing. */
  onSet: (name: Name, value: string, how: { isCorrection: boolean }) => void;
  /** Hears whether the field shows something that does not apply (yet). */
  onDraft?: ((name: Name, draft: Draft | null) => void) | undefined;
}

/** A filter applies when nothing was typed for so long. */
const APPLIES_AFTER_MS = 400;

/** A filter that is typed. It applies while it is typed, and at once when the field is left or Enter is pressed. */
export function TypedFilter<Name extends string>({ filter, value, onSet, onDraft }: TypedFilterProps<Name>) {
  const { kind, name } = filter;
  const isMoment = kind === 'moment';
  const zone = useZone();
  const shown = isMoment ? fieldOf(value, zone) : value;
  const [typed, setTyped] = useState(shown);
  // A half date and time: the browser gives an empty text for it.
  const [isIncomplete, setIncomplete] = useState(false);
  const [seen, setSeen] = useState(value);
  const [sent, setSent] = useState(value);
  if (value !== seen) {
    setSeen(value);
    // The URL was changed by other means: Back, a link, Clear.
    if (value !== sent) {
      setSent(value);
      setTyped(shown);
    }
  }

  const wanted = isMoment ? instantOf(typed, zone) : typed.trim();
  const isPending = !isIncomplete && typed !== shown && wanted !== value;
  const wasApplied = useRef(false);
  const apply = (): void => {
    if (!isPending) return;
    setSent(wanted);
    onSet(name, wanted, { isCorrection: wasApplied.current });
    wasApplied.current = true;
  };
  const applyLater = useEffectEvent(apply);
  useEffect(() => {
    if (!isPending) return undefined;
    const timer = setTimeout(applyLater, APPLIES_AFTER_MS);
    return () => clearTimeout(timer);
  }, [isPending, wanted]);

  const elsewhere = !isMoment ? zone : zone === UTC ? localZone() : UTC;
  const draft: Draft | null = isIncomplete ? 'incomplete' : isPending ? 'typing' : null;
  // In the same frame: nothing may act on the former filter while the field shows another one.
  useLayoutEffect(() => {
    onDraft?.(name, draft);
    return () => onDraft?.(name, null);
  }, [name, draft, onDraft]);

  return (
    <TextInput
      label={isMoment ? `${filter.label} (${zoneLabel(zone)})` : filter.label}
      placeholder={filter.placeholder}
      type={isMoment ? 'datetime-local' : 'text'}
      // Seconds are shown where a link brought some.
      step={isMoment && shown.length > MINUTES ? 'any' : undefined}
      data-search={isMoment ? undefined : true}
      value={typed}
      error={isIncomplete}
      // The same moment in the other zone.
      description={
        elsewhere === zone || shown === '' ? undefined : `= ${fullMoment(new Date(value), elsewhere)}`
      }
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      onFocus={() => (wasApplied.current = false)}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        setIncomplete(currentTarget.validity.badInput);
      }}
      // Parts of a date are typed without a change of the value.
      onKeyUp={({ currentTarget }) => setIncomplete(currentTarget.validity.badInput)}
      onKeyDown={({ key }) => {
        if (key === 'Enter') apply();
      }}
      onBlur={({ currentTarget }) => {
        setIncomplete(currentTarget.validity.badInput);
        apply();
      }}
      w={{ base: '100%', xs: 220 }}
    />
  );
}

/** Characters of a date and a time without seconds. */
const MINUTES = 'yyyy-mm-ddThh:mm'.length;

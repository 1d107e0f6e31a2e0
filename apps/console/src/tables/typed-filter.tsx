import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useCallback, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { fieldOf, fullMoment, instantOf, localZone, useZone, UTC, zoneLabel } from '../formats';

/** A typed text that does not apply: `typing` will soon apply, `incomplete` is not a value. */
export type Draft = 'typing' | 'incomplete';

/** The filters whose text does not apply (yet). Pass `setDraft` to the filter bar. */
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
  /** The value in the URL. */
  value: string;
  /** `isCorrection`: the field was applied since it got the focus, so Back skips the intermediate values. */
  onSet: (name: Name, value: string, how: { isCorrection: boolean }) => void;
  /** Called when the field shows a text that does not apply (yet). */
  onDraft: (name: Name, draft: Draft | null) => void;
  /** The list's search field: on one line with the chips. */
  isSearch?: boolean;
}

/** A typed filter applies after this pause. */
const APPLIES_AFTER_MS = 400;

/** A typed filter. It applies during typing, and at once on Enter or when the field is left. */
export function TypedFilter<Name extends string>(props: TypedFilterProps<Name>) {
  const { filter, value, onSet, onDraft, isSearch = false } = props;
  const { kind, name } = filter;
  const isMoment = kind === 'moment';
  const zone = useZone();
  const shown = isMoment ? fieldOf(value, zone) : value;
  const [typed, setTyped] = useState(shown);
  // An incomplete date and time: the browser reports an empty text.
  const [isIncomplete, setIncomplete] = useState(false);
  const [seen, setSeen] = useState(value);
  const [sent, setSent] = useState(value);
  if (value !== seen) {
    setSeen(value);
    // The URL changed by Back, a link or Clear.
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
  // In the same frame: no command may use the former filter while the field shows another one.
  useLayoutEffect(() => {
    onDraft(name, draft);
    return () => onDraft(name, null);
  }, [name, draft, onDraft]);

  return (
    <TextInput
      label={isSearch ? null : isMoment ? `${filter.label} (${zoneLabel(zone)})` : filter.label}
      aria-label={isSearch ? filter.label : undefined}
      leftSection={isSearch && <IconSearch size={16} aria-hidden />}
      placeholder={isSearch ? `${filter.label}: ${filter.placeholder ?? ''}` : filter.placeholder}
      type={isMoment ? 'datetime-local' : 'text'}
      // Seconds are shown only when a link has them.
      step={isMoment && shown.length > MINUTES ? 'any' : undefined}
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
      // Typing a part of a date does not change the value.
      onKeyUp={({ currentTarget }) => setIncomplete(currentTarget.validity.badInput)}
      onKeyDown={({ key }) => {
        if (key === 'Enter') apply();
      }}
      onBlur={({ currentTarget }) => {
        setIncomplete(currentTarget.validity.badInput);
        apply();
      }}
      w={{ base: '100%', xs: isSearch ? 270 : 220 }}
    />
  );
}

/** Characters of a date and a time without seconds. */
const MINUTES = 'yyyy-mm-ddThh:mm'.length;

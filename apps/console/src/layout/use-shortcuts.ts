import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import { SCREENS } from './screens';

/** How long after `g` the second key may come. */
const SEQUENCE_MS = 1_500;

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** `/` searches, `?` shows the shortcuts, `g` and a screen's letter goes there; never while somebody types. */
export function useShortcuts(onHelp: () => void): void {
  const navigate = useNavigate();
  const goPressedAt = useRef(0);
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
      const isSequence = event.timeStamp - goPressedAt.current < SEQUENCE_MS;
      goPressedAt.current = event.key === 'g' ? event.timeStamp : 0;
      const screen = isSequence ? SCREENS.find(({ key }) => key === event.key) : undefined;
      if (screen !== undefined) {
        if (screen.isOutside === true) window.open(screen.path, '_blank', 'noopener');
        else void navigate(screen.path);
      } else if (event.key === '/') {
        const field = document.querySelector<HTMLElement>('header [data-search]');
        if (field === null) return;
        event.preventDefault();
        field.click();
      } else if (event.key === '?') onHelp();
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, [navigate, onHelp]);
}

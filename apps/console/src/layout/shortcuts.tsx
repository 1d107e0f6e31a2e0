import { Kbd, Modal, Switch, Table, Text } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { useEffect, useEffectEvent, useRef } from 'react';
import { useNavigate } from 'react-router';
import { useScreens } from './navigation';

/** The longest time between `g` and the second key. */
const SEQUENCE_MS = 1_500;

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/**
 * `/` searches, `?` shows the shortcuts, `g` and a letter open a screen; never while a field has the focus.
 * @returns whether they are on in this browser, and the switch
 */
function useShortcuts(onHelp: () => void) {
  const [isOn, setOn] = useLocalStorage({
    key: 'shortcuts',
    defaultValue: true,
    getInitialValueInEffect: false,
  });
  const navigate = useNavigate();
  const screens = useScreens();
  const goPressedAt = useRef(0);
  const onKey = useEffectEvent((event: KeyboardEvent): void => {
    if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
    const isSequence = event.timeStamp - goPressedAt.current < SEQUENCE_MS;
    goPressedAt.current = event.key === 'g' ? event.timeStamp : 0;
    const screen = isSequence ? screens.find(({ key }) => key === event.key) : undefined;
    if (screen !== undefined) {
      void navigate(screen.path);
    } else if (event.key === '/') {
      const field = document.querySelector<HTMLElement>('header [data-search]');
      if (field === null) return;
      event.preventDefault();
      field.click();
    } else if (event.key === '?') onHelp();
  });
  useEffect(() => {
    if (!isOn) return undefined;
    const listen = (event: KeyboardEvent): void => onKey(event);
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, [isOn]);
  return { isOn, setOn };
}

/** Every shortcut, and the switch for people who press letters unintentionally (WCAG 2.2, 2.1.4). */
export function Shortcuts(props: { opened: boolean; onOpen: () => void; onClose: () => void }) {
  const { isOn, setOn } = useShortcuts(props.onOpen);
  const shortcuts: readonly (readonly [keys: readonly string[], does: string])[] = [
    [['/'], 'Search'],
    [['Ctrl', 'K'], 'Search, also while typing'],
    [['?'], 'Show this'],
    [['Esc'], 'Close what is open'],
    ...useScreens().map(({ label, key }) => [['g', key], `Go to ${label}`] as const),
  ];
  return (
    <Modal opened={props.opened} onClose={props.onClose} title="Keyboard">
      <Switch
        label="Single-letter shortcuts"
        checked={isOn}
        onChange={({ currentTarget }) => setOn(currentTarget.checked)}
      />
      {!isOn && <Text size="sm">They are off in this browser. The account menu opens this dialog.</Text>}
      <Table mt="sm" data={{ body: shortcuts.map(([keys, does]) => [keys.map(asKey), does]) }} />
    </Modal>
  );
}

const asKey = (key: string) => (
  <Kbd key={key} mr={4}>
    {key}
  </Kbd>
);

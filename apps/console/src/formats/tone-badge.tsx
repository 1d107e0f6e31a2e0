import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import styles from './tone-badge.module.css';

/** The tone of a state; never shown by colour alone. */
type Tone = 'good' | 'busy' | 'waiting' | 'bad' | 'quiet';

const COLOURS: Readonly<Record<Tone, { background: string; color: string }>> = {
  good: { background: 'light-dark(#d3f9d8, #12391c)', color: 'light-dark(#1b5e2b, #8ce99a)' },
  busy: { background: 'light-dark(#d0ebff, #0f2f4d)', color: 'light-dark(#0b4a82, #a5d8ff)' },
  waiting: { background: 'light-dark(#fff3bf, #3d3000)', color: 'light-dark(#6b4a00, #ffe066)' },
  bad: { background: 'light-dark(#ffe3e3, #4a1518)', color: 'light-dark(#9b1c1c, #ffa8a8)' },
  quiet: { background: 'light-dark(#e9ecef, #343a40)', color: 'light-dark(#343a40, #dee2e6)' },
};

/** A label with its colour and icon. */
export type Look = { readonly label: string; readonly tone: Tone; readonly icon: Icon };

/** A label with an icon and a colour, and what follows it; `hint` explains it under the pointer. */
export function ToneBadge(props: Look & { hint?: string; children?: ReactNode }) {
  const { label, tone, icon: Symbol, hint, children } = props;
  return (
    <span className={styles['badge']} style={COLOURS[tone]} title={hint}>
      <Symbol size="1.1em" aria-hidden />
      {label}
      {children}
    </span>
  );
}

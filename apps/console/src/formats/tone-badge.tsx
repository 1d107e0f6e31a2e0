import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import styles from './state-badge.module.css';

/** How something is; never said by colour alone. */
export type Tone = 'good' | 'busy' | 'waiting' | 'bad' | 'quiet';

/** A word with an icon and a colour; `hint` explains it under the pointer. */
export function ToneBadge(props: { tone: Tone; icon: Icon; hint?: string; children: ReactNode }) {
  const { tone, icon: Symbol, hint, children } = props;
  return (
    <span className={styles['badge']} data-tone={tone} title={hint}>
      <Symbol size="1.1em" aria-hidden />
      {children}
    </span>
  );
}

import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import icon from './icon.svg';
import attentionIcon from './icon-attention.svg';
import { endsAutomatically } from '../formats';
import { QUEUE } from '../queries/queue-query';
import { useMay } from '../signed-in/use-me';
import { useProductName } from './brand';

const ASK_EVERY_MS = 30_000;

/** Consumers that need attention, also while the tab is in the background; pauses that end automatically are not counted. */
function useAttentionCount(): number {
  const { data } = useQuery({
    ...QUEUE,
    enabled: useMay('viewer'),
    staleTime: ASK_EVERY_MS / 2,
    refetchInterval: ASK_EVERY_MS,
    refetchIntervalInBackground: true,
    select: ({ trouble }) => trouble.filter((row) => !endsAutomatically(row)).length,
  });
  return data ?? 0;
}

/** The tab's icon is red while a consumer needs attention. */
export function useAttentionIcon(): void {
  const isRed = useAttentionCount() > 0;
  useEffect(() => {
    document.querySelector('link[rel=icon]')?.setAttribute('href', isRed ? attentionIcon : icon);
  }, [isRed]);
}

/** The title of the browser's tab: how many consumers need attention, the screen, and the bank. */
export function PageTitle({ title }: { title: string }) {
  const count = useAttentionCount();
  const name = useProductName();
  return <title>{`${count > 0 ? `(${String(count)}) ` : ''}${title} · ${name}`}</title>;
}

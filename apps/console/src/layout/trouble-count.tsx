import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import icon from '../app/icon.svg';
import troubleIcon from '../app/icon-trouble.svg';
import { isTrouble } from '../features/consumers/health-words';
import { QUEUE } from '../features/overview/queue-query';
import { useMay } from '../session/use-me';

const ASK_EVERY_MS = 30_000;

/** Consumers in trouble, also while the tab is in the background; planned pauses are not counted. */
function useTroubleCount(): number {
  const { data } = useQuery({
    ...QUEUE,
    enabled: useMay('viewer'),
    staleTime: ASK_EVERY_MS / 2,
    refetchInterval: ASK_EVERY_MS,
    refetchIntervalInBackground: true,
    select: ({ trouble }) => trouble.filter(({ health }) => isTrouble(health)).length,
  });
  return data ?? 0;
}

/** The tab's icon is red while a consumer is in trouble. */
export function useTroubleIcon(): void {
  const isRed = useTroubleCount() > 0;
  useEffect(() => {
    document.querySelector('link[rel=icon]')?.setAttribute('href', isRed ? troubleIcon : icon);
  }, [isRed]);
}

/** What the browser's tab says: how many consumers are in trouble, and which screen this is. */
export function PageTitle({ title }: { title: string }) {
  const count = useTroubleCount();
  return <title>{`${count > 0 ? `(${String(count)}) ` : ''}${title} · Dispatcher`}</title>;
}

import { useTroubleCount } from './use-trouble-count';

/** What the browser's tab says: how many consumers are in trouble, and which screen this is. */
export function PageTitle({ title }: { title: string }) {
  const count = useTroubleCount();
  return <title>{`${count > 0 ? `(${String(count)}) ` : ''}${title} · Dispatcher`}</title>;
}

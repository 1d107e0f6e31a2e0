import type { ChaosEnvironment } from '#test/chaos/chaos-environment';
import type { Cut, LinkName } from '#test/chaos/fault-kinds';

/** Cuts process 1 of a kind, alone, off from a server. @returns ends the cut */
export async function cutOwnLink(
  environment: Pick<ChaosEnvironment, 'ownLink'>,
  name: LinkName,
  cut: Cut,
): Promise<() => Promise<void>> {
  const link = environment.ownLink(name);
  switch (cut) {
    case 'refused':
      link.refuse(true);
      return async () => link.refuse(false);
    case 'blackholed':
      link.set({ kind: 'blackhole' });
      return async () => link.set({ kind: 'normal' });
    case 'one-way':
      link.set({ kind: 'one-way link', drops: 'from server' });
      return async () => link.set({ kind: 'normal' });
  }
}

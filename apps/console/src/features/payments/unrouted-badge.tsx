import { IconUnlink } from '@tabler/icons-react';
import { ToneBadge } from '../../formats/tone-badge';

/** An event that nobody was told of. */
export function UnroutedBadge() {
  return (
    <ToneBadge
      tone="waiting"
      icon={IconUnlink}
      hint="It concerned no consumer when it was accepted; it is kept and can be sent by hand"
    >
      Unrouted
    </ToneBadge>
  );
}

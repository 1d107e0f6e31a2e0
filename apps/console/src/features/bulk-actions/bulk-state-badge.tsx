import { IconCircleCheck, IconCircleX, IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react';
import { ToneBadge } from '../../formats/tone-badge';
import { BULK_STATES, type BulkAction } from './bulk-words';

const LOOKS = {
  running: { tone: 'busy', icon: IconPlayerPlay },
  finished: { tone: 'good', icon: IconCircleCheck },
  stopped: { tone: 'quiet', icon: IconPlayerStop },
  failed: { tone: 'bad', icon: IconCircleX },
} as const;

export function BulkStateBadge({ state }: { state: BulkAction['state'] }) {
  return <ToneBadge {...LOOKS[state]}>{BULK_STATES[state]}</ToneBadge>;
}

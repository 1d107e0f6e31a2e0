import {
  IconActivityHeartbeat,
  IconCertificate,
  IconCircleCheck,
  IconClockExclamation,
  IconKeyOff,
  IconPlayerPause,
  IconPlugConnectedX,
  type Icon,
} from '@tabler/icons-react';
import { ToneBadge } from '../../formats/tone-badge';
import { HEALTH_LABELS, type Health } from './consumer-health';

const ICONS: Readonly<Record<Health['kind'], Icon>> = {
  secret: IconKeyOff,
  circuit: IconPlugConnectedX,
  failing: IconActivityHeartbeat,
  behind: IconClockExclamation,
  paused: IconPlayerPause,
  certificate: IconCertificate,
  well: IconCircleCheck,
};

export function HealthBadge({ health }: { health: Health }) {
  const { label, tone } = HEALTH_LABELS[health.kind];
  return (
    <ToneBadge tone={tone} icon={ICONS[health.kind]} hint={health.why}>
      {label}
    </ToneBadge>
  );
}

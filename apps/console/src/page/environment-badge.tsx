import { Badge } from '@mantine/core';
import type { Schema } from '../api';

type Environment = Schema<'EnvironmentDto'>;

/** Each with at least 4.5:1 of contrast (WCAG 2.2, 1.4.3). */
const LOOKS: Readonly<Record<Environment['color'], { background: string; color: string }>> = {
  red: { background: '#c92a2a', color: '#fff' },
  orange: { background: '#a83e00', color: '#fff' },
  yellow: { background: '#ffd43b', color: '#000' },
  green: { background: '#237032', color: '#fff' },
  blue: { background: '#1864ab', color: '#fff' },
  grape: { background: '#862e9c', color: '#fff' },
  gray: { background: '#495057', color: '#fff' },
};

/** The name of the installation, so that production is not mistaken for a test. */
export function EnvironmentBadge({ environment }: { environment: Environment | null | undefined }) {
  if (environment == null) return null;
  return (
    <Badge
      maw={{ base: 90, sm: 240 }}
      radius="sm"
      tt="none"
      title={environment.name}
      style={LOOKS[environment.color]}
    >
      {environment.name}
    </Badge>
  );
}

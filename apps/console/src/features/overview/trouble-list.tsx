import { Stack, Text, Title } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import type { Schema } from '../../api/schema';
import { ToneBadge } from '../../formats/tone-badge';
import { TroubleCard } from './trouble-card';

/** Consumers that need somebody, the worst first. */
export function TroubleList({ trouble }: { trouble: readonly Schema<'ConsumerTroubleDto'>[] }) {
  return (
    <Stack component="section" aria-labelledby="trouble" gap="sm">
      <Title order={2} size="h3" id="trouble">
        Consumers in trouble{trouble.length > 0 && `: ${String(trouble.length)}`}
      </Title>
      {trouble.length === 0 ? (
        <Text component="div">
          <ToneBadge tone="good" icon={IconCircleCheck}>
            None
          </ToneBadge>{' '}
          Every consumer takes what is sent to it.
        </Text>
      ) : (
        <Stack component="ol" gap="sm" m={0} p={0} style={{ listStyle: 'none' }}>
          {trouble.map((one) => (
            <TroubleCard key={one.consumerId} trouble={one} />
          ))}
        </Stack>
      )}
    </Stack>
  );
}

import { Stack } from '@mantine/core';
import { HistoryPanel } from '../../overview/history-panel';
import type { ConsumerTabProps } from '../consumer-tab';
import { Backlog } from './backlog';
import { CertificatesCard } from './certificates-card';
import { HealthCard } from './health-card';
import { Timeline } from './timeline';

/** The first tab, for whoever was just woken: what is wrong and whom to call, what led to it, what waits. */
export function HealthTab({ consumer }: ConsumerTabProps) {
  return (
    <Stack gap="lg">
      <HealthCard consumer={consumer} />
      <Timeline consumerId={consumer.id} />
      <Backlog consumerId={consumer.id} />
      {consumer.certificates.length > 0 && <CertificatesCard consumer={consumer} />}
      <HistoryPanel consumerId={consumer.id} />
    </Stack>
  );
}

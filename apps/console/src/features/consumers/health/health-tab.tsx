import { SimpleGrid, Stack } from '@mantine/core';
import { HistoryPanel } from '../../overview/history-panel';
import type { ConsumerTabProps } from '../consumer-tab';
import { Backlog } from './backlog';
import { CertificatesCard } from './certificates-card';
import { ContactCard } from './contact-card';
import { HealthCard } from './health-card';
import { Timeline } from './timeline';

/** The first tab, for whoever was just woken: what is wrong, whom to call, what waits, and what led to it. */
export function HealthTab({ consumer, health, trouble }: ConsumerTabProps) {
  return (
    <Stack gap="lg">
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <HealthCard consumer={consumer} health={health} />
        <ContactCard consumer={consumer} />
      </SimpleGrid>
      <Backlog consumer={consumer} {...(trouble === undefined ? {} : { trouble })} />
      {consumer.certificates.length > 0 && <CertificatesCard consumer={consumer} />}
      <HistoryPanel consumerId={consumer.id} />
      <Timeline consumerId={consumer.id} />
    </Stack>
  );
}

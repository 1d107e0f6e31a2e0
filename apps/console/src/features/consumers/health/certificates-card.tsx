import { Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconClockExclamation } from '@tabler/icons-react';
import type { Schema } from '../../../api';
import { type Look, Time, ToneBadge } from '../../../formats';
import { Section } from '../../../page/section';
import { type Column, DataTable } from '../../../tables';
import type { Consumer } from '../../../queries/use-consumers';

type Certificate = Schema<'CertificateInUseDto'>;

const USES: Readonly<Record<Certificate['use'], string>> = {
  client: 'Ours, which it asks for',
  authority: 'Its private authority’s',
  server: 'Its server’s',
};

const STATES: Readonly<Record<Certificate['state'], Look>> = {
  valid: { label: 'Valid', tone: 'good', icon: IconCircleCheck },
  expiring: { label: 'Ends soon', tone: 'waiting', icon: IconClockExclamation },
  expired: { label: 'Expired', tone: 'bad', icon: IconAlertTriangle },
};

const COLUMNS: readonly Column<Certificate>[] = [
  { header: 'Whose', cell: ({ use }) => USES[use] },
  {
    header: 'Subject',
    cell: ({ subject, fingerprint }) => <span title={`SHA-256 ${fingerprint}`}>{subject}</span>,
  },
  { header: 'Issued by', cell: ({ issuer }) => issuer },
  { header: 'Ends', cell: ({ notAfter }) => <Time at={notAfter} /> },
  { header: 'State', cell: ({ state }) => <ToneBadge {...STATES[state]} /> },
];

/** The certificates that deliveries to this consumer depend on, and when each expires. */
export function CertificatesCard({ consumer }: { consumer: Consumer }) {
  return (
    <Section title="Certificates">
      <Text size="sm" c="dimmed">
        The server certificate is the one that was presented last.
      </Text>
      <DataTable
        caption="Certificates in use"
        columns={COLUMNS}
        rows={consumer.certificates}
        rowId={({ use, fingerprint }) => `${use} ${fingerprint}`}
      />
    </Section>
  );
}

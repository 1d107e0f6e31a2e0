import { Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCircleCheck } from '@tabler/icons-react';
import type { Schema } from '../../api';
import {
  Age,
  ContactLink,
  countInWords,
  TextLink,
  ToneBadge,
  deadPath,
  HealthBadge,
  isPlanned,
  SIDES,
  trendInWords,
} from '../../formats';
import { Section } from '../../page/section';
import { type Column, DataTable } from '../../tables';
import styles from './attention-table.module.css';

type Row = Schema<'ConsumerTroubleDto'>;

/** As many rows as fit a screen. */
const AT_FIRST = 12;

/** Every cell is one line; a tooltip has the whole text. */
const COLUMNS: readonly Column<Row>[] = [
  { header: 'Consumer', cell: ({ name }) => <span title={name}>{name}</span> },
  { header: 'Health', cell: ({ health }) => <HealthBadge health={health} /> },
  { header: 'Since', cell: ({ health: { since } }) => <Age at={since} /> },
  {
    header: 'Cause',
    cell: ({ health: { state, cause, dead, notices, summary, advice } }) => (
      <span title={`${summary} ${advice}`}>
        {state === 'healthy' && dead.count > 0
          ? 'Dead deliveries are not settled'
          : (cause?.words ?? notices[0]?.words ?? summary)}
      </span>
    ),
  },
  { header: 'Whose', cell: ({ health: { side } }) => (side === null ? '–' : SIDES[side]) },
  { header: 'Waiting', cell: ({ health }) => `${countInWords(health.waiting)} ${trendInWords(health)}` },
  { header: 'Dead', cell: (row) => <Dead {...row} /> },
  {
    header: 'Contact',
    cell: ({ contact }) => (
      <span title={contact ?? ''}>
        <ContactLink contact={contact} />
      </span>
    ),
  },
];

function Dead({ name, consumerId, health: { dead } }: Row) {
  if (dead.count === 0) return '0';
  return (
    <span>
      {countInWords(dead.count)}{' '}
      <TextLink to={deadPath(consumerId)} aria-label={`Replay the dead deliveries of ${name}`}>
        Replay
      </TextLink>
    </span>
  );
}

/** Consumers that need attention, worst first; planned pauses are folded below. */
export function AttentionTable({ rows, total }: { rows: readonly Row[]; total: number }) {
  const [isWhole, whole] = useDisclosure(false);
  const [arePlannedShown, planned] = useDisclosure(false);
  const unplanned = rows.filter(({ health }) => !isPlanned(health));
  const onPurpose = rows.filter(({ health }) => isPlanned(health));
  const shown = isWhole ? unplanned : unplanned.slice(0, AT_FIRST);
  const beyond = total - rows.length;
  const more = countInWords(unplanned.length - AT_FIRST);
  const button = { variant: 'default', size: 'compact-sm' } as const;
  return (
    <Section title={`Consumers that need attention: ${countInWords(unplanned.length)}`}>
      {unplanned.length === 0 ? (
        <div>
          <ToneBadge label="None" tone="good" icon={IconCircleCheck} />
        </div>
      ) : (
        <Table rows={shown} caption="Consumers that need attention, worst first" />
      )}
      <Group gap="xs">
        {unplanned.length > AT_FIRST && (
          <Button {...button} aria-expanded={isWhole} onClick={whole.toggle}>
            {isWhole ? `Only the worst ${String(AT_FIRST)}` : `and ${more} more`}
          </Button>
        )}
        {onPurpose.length > 0 && (
          <Button {...button} aria-expanded={arePlannedShown} onClick={planned.toggle}>
            {countInWords(onPurpose.length)} paused on purpose
          </Button>
        )}
        {beyond > 0 && <TextLink to="/consumers">{countInWords(beyond)} more under Consumers</TextLink>}
      </Group>
      {arePlannedShown && <Table rows={onPurpose} caption="Consumers paused on purpose" />}
    </Section>
  );
}

const Table = ({ rows, caption }: { rows: readonly Row[]; caption: string }) => (
  <div className={styles['frame']}>
    <DataTable
      caption={caption}
      columns={COLUMNS}
      rows={rows}
      rowId={({ consumerId }) => consumerId}
      rowLink={({ consumerId }) => `/consumers/${consumerId}`}
    />
  </div>
);

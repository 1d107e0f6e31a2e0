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
  endsAutomatically,
  HealthBadge,
  SIDES,
  waitingInWords,
} from '../../formats';
import { Section } from '../../page/section';
import { type Column, DataTable } from '../../tables';
import styles from './attention-table.module.css';

type Row = Schema<'ConsumerTroubleDto'>;

/** As many rows as fit a screen of 900 px below the note of open issues. */
const AT_FIRST = 7;

const COLUMNS: readonly Column<Row>[] = [
  { header: 'Consumer', cell: ({ name }) => name },
  {
    header: 'Health',
    cell: ({ health, pausedUntil }) => <HealthBadge health={health} until={pausedUntil} />,
  },
  { header: 'Since', cell: ({ health: { since } }) => <Age at={since} /> },
  {
    header: 'Cause',
    cell: ({ health: { state, cause, dead, notices, summary } }) =>
      state === 'healthy' && dead.count > 0
        ? 'Dead deliveries have to be replayed or settled'
        : (cause?.words ?? notices[0]?.words ?? summary),
  },
  { header: 'Probably at fault', cell: ({ health: { side } }) => (side === null ? '–' : SIDES[side]) },
  { header: 'Waiting', cell: ({ health }) => waitingInWords(health), isNumber: true },
  { header: 'Dead', cell: (row) => <Dead {...row} />, isNumber: true },
  { header: 'Contact', cell: ({ contact }) => <ContactLink contact={contact} /> },
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

/** Consumers that need attention, worst first; pauses with a planned end are folded below. */
export function AttentionTable({ rows, total }: { rows: readonly Row[]; total: number }) {
  const [isWhole, whole] = useDisclosure(false);
  const [arePlannedShown, planned] = useDisclosure(false);
  const unplanned = rows.filter((row) => !endsAutomatically(row));
  const onPurpose = rows.filter(endsAutomatically);
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
            {countInWords(onPurpose.length)} paused until a planned time
          </Button>
        )}
        {beyond > 0 && <TextLink to="/consumers">{countInWords(beyond)} more under Consumers</TextLink>}
      </Group>
      {arePlannedShown && <Table rows={onPurpose} caption="Consumers paused until a planned time" />}
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

import { Anchor, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCircleCheck } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { Schema } from '../../api';
import { ContactLink } from '../../formats/contact-link';
import { countInWords } from '../../formats/count-in-words';
import { Age } from '../../formats/time';
import { ToneBadge } from '../../formats/tone-badge';
import { DataTable, type Column } from '../../tables/data-table';
import styles from './trouble-table.module.css';
import { deadPath, HealthBadge, isPlanned, SIDES, trendInWords } from '../consumers/health-words';

type Trouble = Schema<'ConsumerTroubleDto'>;

/** So many fit a screen. */
const AT_FIRST = 12;

/** A cell is one line, whatever is in it; the whole text is under the pointer. */
const COLUMNS: readonly Column<Trouble>[] = [
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

function Dead({ name, consumerId, health: { dead } }: Trouble) {
  if (dead.count === 0) return '0';
  const label = `Replay the dead deliveries of ${name}`;
  return (
    <span>
      {countInWords(dead.count)}{' '}
      <Anchor component={Link} to={deadPath(consumerId)} inherit aria-label={label}>
        Replay
      </Anchor>
    </span>
  );
}

/** Consumers in trouble, the worst first; planned pauses are folded below. */
export function TroubleTable({ trouble, total }: { trouble: readonly Trouble[]; total: number }) {
  const [isWhole, whole] = useDisclosure(false);
  const [arePlannedShown, planned] = useDisclosure(false);
  const unplanned = trouble.filter(({ health }) => !isPlanned(health));
  const onPurpose = trouble.filter(({ health }) => isPlanned(health));
  const shown = isWhole ? unplanned : unplanned.slice(0, AT_FIRST);
  const beyond = total - trouble.length;
  return (
    <Stack component="section" aria-labelledby="trouble" gap={4}>
      <Title order={2} size="h4" id="trouble">
        Consumers in trouble: {countInWords(unplanned.length)}
      </Title>
      {unplanned.length === 0 ? (
        <Text component="div">
          <ToneBadge tone="good" icon={IconCircleCheck}>
            None
          </ToneBadge>
        </Text>
      ) : (
        <Table rows={shown} caption="Consumers in trouble, worst first" />
      )}
      <Group gap="xs">
        {unplanned.length > AT_FIRST && (
          <Button variant="default" size="compact-sm" aria-expanded={isWhole} onClick={whole.toggle}>
            {isWhole
              ? `Only the worst ${String(AT_FIRST)}`
              : `and ${countInWords(unplanned.length - AT_FIRST)} more`}
          </Button>
        )}
        {onPurpose.length > 0 && (
          <Button
            variant="default"
            size="compact-sm"
            aria-expanded={arePlannedShown}
            onClick={planned.toggle}
          >
            {countInWords(onPurpose.length)} paused on purpose
          </Button>
        )}
        {beyond > 0 && (
          <Anchor component={Link} to="/consumers" size="sm">
            {countInWords(beyond)} more under Consumers
          </Anchor>
        )}
      </Group>
      {arePlannedShown && <Table rows={onPurpose} caption="Consumers paused on purpose" />}
    </Stack>
  );
}

function Table({ rows, caption }: { rows: readonly Trouble[]; caption: string }) {
  return (
    <div className={styles['frame']}>
      <DataTable
        caption={caption}
        columns={COLUMNS}
        rows={[...rows]}
        rowId={({ consumerId }) => consumerId}
        rowLink={({ consumerId }) => `/consumers/${consumerId}`}
      />
    </div>
  );
}

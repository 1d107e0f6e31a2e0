import { Anchor, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCircleCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Schema } from '../../api/schema';
import { ContactLink } from '../../formats/contact-link';
import { countInWords } from '../../formats/count-in-words';
import { Age } from '../../formats/time';
import { ToneBadge } from '../../formats/tone-badge';
import { DataTable, type Column } from '../../tables/data-table';
import styles from './trouble-table.module.css';
import { deadPath, HealthBadge, isPlanned, SIDES, trendInWords } from '../consumers/health-words';

type Trouble = Schema<'ConsumerTroubleDto'>;

/** So many fit the screen of whoever was just woken. */
const AT_FIRST = 12;

interface LineProps {
  /** What is cut off where the window is narrow; the whole text is under the pointer. */
  part?: 'name' | 'contact';
  title?: string;
  children: ReactNode;
}

const Line = ({ part, title, children }: LineProps) => (
  <div className={styles['line']} data-part={part} title={title}>
    {children}
  </div>
);

const COLUMNS: readonly Column<Trouble>[] = [
  {
    id: 'name',
    header: 'Consumer',
    cell: ({ name }) => (
      <Line part="name" title={name}>
        {name}
      </Line>
    ),
  },
  { id: 'health', header: 'Health', cell: ({ health }) => <HealthBadge health={health} /> },
  {
    id: 'since',
    header: 'Since',
    cell: ({ health: { since } }) => (
      <Line>
        <Age at={since} />
      </Line>
    ),
  },
  {
    id: 'cause',
    header: 'Cause',
    cell: ({ health: { state, cause, dead, notices, summary, advice } }) => (
      <Line title={`${summary} ${advice}`}>
        {state === 'healthy' && dead.count > 0
          ? 'Dead deliveries are not settled'
          : (cause?.words ?? notices[0]?.words ?? summary)}
      </Line>
    ),
  },
  { id: 'side', header: 'Whose', cell: ({ health: { side } }) => (side === null ? '–' : SIDES[side]) },
  {
    id: 'waiting',
    header: 'Waiting',
    cell: ({ health }) => (
      <Line>
        {countInWords(health.waiting)} {trendInWords(health)}
      </Line>
    ),
  },
  {
    id: 'dead',
    header: 'Dead',
    cell: ({ name, consumerId, health: { dead } }) =>
      dead.count === 0 ? (
        '0'
      ) : (
        <Line>
          {countInWords(dead.count)}{' '}
          <Anchor
            component={Link}
            to={deadPath(consumerId)}
            inherit
            aria-label={`Replay the dead deliveries of ${name}`}
          >
            Replay
          </Anchor>
        </Line>
      ),
  },
  {
    id: 'contact',
    header: 'Contact',
    cell: ({ contact }) => (
      <Line part="contact" title={contact ?? ''}>
        <ContactLink contact={contact} />
      </Line>
    ),
  },
];

/** Consumers that somebody should look at, the worst first; planned pauses are folded below. */
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

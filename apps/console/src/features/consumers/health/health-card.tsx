import { Button, Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import {
  Age,
  BEGAN,
  ContactLink,
  countInWords,
  deliveriesInWords,
  durationInWords,
  Fact,
  percentInWords,
  TextLink,
  Time,
  useNow,
  deadPath,
  SIDES,
  drainInWords,
} from '../../../formats';
import { useMay } from '../../../signed-in/use-me';
import { BulkDialog } from '../../bulk-actions/bulk-dialog';
import type { Consumer } from '../../../queries/use-consumers';

/** What can be done about dead deliveries. */
const DEAD_ACTIONS = [
  { kind: 'replay', label: 'Replay dead' },
  { kind: 'settle', label: 'Settle' },
] as const;

/** What is wrong, since when, the cause and its side, what to do, whom to call, and the backlog. */
export function HealthCard({ consumer }: { consumer: Consumer }) {
  const { contact, notes, circuit, health, id } = consumer;
  const { since, lastSuccessAt, summary, advice, cause, side, notices, successShare } = health;
  return (
    <Paper component="section" withBorder p="sm" aria-label="Health now">
      <Stack gap="xs">
        <Title order={2} size="h5">
          {summary}
        </Title>
        {advice !== 'Nothing to do.' && (
          <Text size="sm">
            <strong>What to do:</strong> {advice}
          </Text>
        )}
        <SimpleGrid component="dl" cols={{ base: 2, sm: 3, lg: 6 }} spacing="sm" verticalSpacing="xs" m={0}>
          {since !== null && (
            <Fact name={BEGAN[health.state]}>
              <Age at={since} />
            </Fact>
          )}
          {cause !== null && <Fact name="Cause">{cause.words}</Fact>}
          {side !== null && <Fact name="Probably at fault">{SIDES[side]}</Fact>}
          <Fact name="Contact">
            <ContactLink contact={contact} />
          </Fact>
          <Fact name="Last success">
            <Time at={lastSuccessAt} absent="no success on record" />
          </Fact>
          <Fact name="Success, last 15 min">
            {successShare === null ? 'no attempts' : percentInWords(successShare)}
          </Fact>
        </SimpleGrid>
        <Text size="sm">
          {circuit !== null && <CircuitInWords circuit={circuit} />}
          <BacklogInWords {...health} />
        </Text>
        <DeadDeliveries consumerId={id} {...health.dead} />
        {notices.map(({ words, advice: todo, at }) => (
          <Text key={`${words} ${at}`} size="sm">
            <strong>Certificate:</strong> {words} {todo}
          </Text>
        ))}
        {notes !== null && (
          <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {notes}
          </Text>
        )}
      </Stack>
    </Paper>
  );
}

/** The dead deliveries that are not settled, and what can be done about them. */
function DeadDeliveries(props: { consumerId: string } & Consumer['health']['dead']) {
  const { consumerId, count, oldestAt } = props;
  const isOnCall = useMay('oncall');
  const [open, setOpen] = useState<'replay' | 'settle' | null>(null);
  return (
    <>
      {count > 0 && (
        <Group gap="sm">
          <Text size="sm">
            <strong>Dead deliveries to handle:</strong> {deliveriesInWords(count)}, the oldest{' '}
            <Age at={oldestAt} />
          </Text>
          {isOnCall &&
            DEAD_ACTIONS.map(({ kind, label }) => (
              <Button key={kind} variant="default" size="compact-sm" onClick={() => setOpen(kind)}>
                {label}
              </Button>
            ))}
          <TextLink to={deadPath(consumerId)}>Show</TextLink>
        </Group>
      )}
      {DEAD_ACTIONS.map(({ kind }) => (
        <BulkDialog
          key={kind}
          opened={open === kind}
          onClose={() => setOpen(null)}
          kind={kind}
          filter={{ consumerId, state: 'dead', settled: false }}
        />
      ))}
    </>
  );
}

function BacklogInWords(health: Consumer['health']) {
  const { waiting, oldestDueAt, inPerMinute, outPerMinute } = health;
  return (
    <>
      <strong>Waiting:</strong> {deliveriesInWords(waiting)}
      {oldestDueAt !== null && (
        <>
          , overdue <Age at={oldestDueAt} />
        </>
      )}
      {`; ${countInWords(inPerMinute)}/min in, ${countInWords(outPerMinute)}/min out. ${drainInWords(health)}`}
    </>
  );
}

/** When the circuit of a consumer opened, and when the next probe is sent. */
function CircuitInWords({ circuit }: { circuit: NonNullable<Consumer['circuit']> }) {
  const now = useNow();
  const { openedAt, failedProbes, nextProbeAt } = circuit;
  const inMs = nextProbeAt === null ? 0 : Date.parse(nextProbeAt) - now;
  return (
    <>
      Circuit open since <Time at={openedAt} />.{' '}
      {failedProbes === 0
        ? 'No probe has failed yet.'
        : `${countInWords(failedProbes)} ${failedProbes === 1 ? 'probe has' : 'probes have'} failed.`}{' '}
      {inMs <= 0 ? 'The next probe is due now.' : `The next probe is sent in ${durationInWords(inMs)}.`}{' '}
    </>
  );
}

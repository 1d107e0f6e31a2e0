import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { ContactLink } from '../../../formats/contact-link';
import { countInWords, deliveriesInWords, percentInWords } from '../../../formats/count-in-words';
import { durationInWords } from '../../../formats/duration-in-words';
import { Fact } from '../../../formats/fact';
import { Age, Time } from '../../../formats/time';
import { useNow } from '../../../formats/clock';
import { TextLink } from '../../../formats/text-link';
import { useMay } from '../../../session/use-me';
import { BulkDialog } from '../../bulk-actions/bulk-dialog';
import { deadPath, HealthBadge, SIDES, trendInWords } from '../health-words';
import type { Consumer } from '../use-consumers';

/** What can be done about dead deliveries. */
const DEAD_ACTS = [
  { kind: 'replay', label: 'Replay dead' },
  { kind: 'acknowledge', label: 'Settle' },
] as const;

/** What is wrong, since when, why, whose it is, what to do, whom to call, and what waits. */
export function HealthCard({ consumer }: { consumer: Consumer }) {
  const { contact, notes, circuit, health, id } = consumer;
  const { since, lastSuccessAt, summary, advice, cause, side, dead, notices, successShare } = health;
  const mayAct = useMay('oncall');
  const [open, setOpen] = useState<'replay' | 'acknowledge' | null>(null);
  return (
    <Paper component="section" withBorder p="md" aria-label="Health now">
      <Stack gap="xs">
        <Group gap="sm">
          <Title order={2} size="h4">
            Health
          </Title>
          <HealthBadge health={health} />
          {since !== null && (
            <Text>
              <Age at={since} />
            </Text>
          )}
        </Group>
        <Text>{summary}</Text>
        {advice !== 'Nothing to do.' && (
          <Text>
            <strong>What to do:</strong> {advice}
          </Text>
        )}
        <Group component="dl" gap="xl" m={0} align="flex-start">
          {cause !== null && <Fact name="Cause">{cause.words}</Fact>}
          {side !== null && <Fact name="Probably whose">{SIDES[side]}</Fact>}
          <Fact name="Last success">
            <Time at={lastSuccessAt} absent="none known" />
          </Fact>
          <Fact name="Success, last 15 min">
            {successShare === null ? 'no attempts' : percentInWords(successShare)}
          </Fact>
          <Fact name="Contact">
            <ContactLink contact={contact} />
          </Fact>
        </Group>
        {circuit !== null && <CircuitInWords circuit={circuit} />}
        <Text>
          <strong>Waiting:</strong> <BacklogInWords {...health} />
        </Text>
        {dead.count > 0 && (
          <Group gap="sm">
            <Text>
              <strong>Dead, not settled:</strong> {deliveriesInWords(dead.count)}, the first{' '}
              <Age at={dead.oldestAt} />
            </Text>
            {mayAct &&
              DEAD_ACTS.map(({ kind, label }) => (
                <Button key={kind} variant="default" size="compact-md" onClick={() => setOpen(kind)}>
                  {label}
                </Button>
              ))}
            <TextLink to={deadPath(id)}>Show</TextLink>
          </Group>
        )}
        {DEAD_ACTS.map(({ kind }) => (
          <BulkDialog
            key={kind}
            opened={open === kind}
            onClose={() => setOpen(null)}
            kind={kind}
            filter={{ consumerId: id, state: 'dead', settled: false }}
          />
        ))}
        {notices.map(({ words, advice: todo, at }) => (
          <Text key={`${words} ${at}`}>
            <strong>Certificate:</strong> {words} {todo}
          </Text>
        ))}
        {notes !== null && <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{notes}</Text>}
      </Stack>
    </Paper>
  );
}

function BacklogInWords(health: Consumer['health']) {
  const { waiting, oldestDueAt, inPerMinute, outPerMinute } = health;
  return (
    <>
      {deliveriesInWords(waiting)}
      {oldestDueAt !== null && (
        <>
          , overdue <Age at={oldestDueAt} />
        </>
      )}
      {`; ${countInWords(inPerMinute)}/min in, ${countInWords(outPerMinute)}/min out${waiting > 0 ? `, ${trendInWords(health)}` : ''}.`}
    </>
  );
}

/** The second fact of a consumer that is down: when the circuit opened, and when the next probe is sent. */
function CircuitInWords({ circuit }: { circuit: NonNullable<Consumer['circuit']> }) {
  const now = useNow();
  const { openedAt, failedProbes, nextProbeAt } = circuit;
  const inMs = nextProbeAt === null ? 0 : Date.parse(nextProbeAt) - now;
  return (
    <Text size="sm">
      Circuit open since <Time at={openedAt} />.{' '}
      {failedProbes === 0
        ? 'No probe has failed yet.'
        : `${countInWords(failedProbes)} ${failedProbes === 1 ? 'probe has' : 'probes have'} failed.`}{' '}
      {inMs <= 0 ? 'The next probe is due now.' : `The next probe is sent in ${durationInWords(inMs)}.`}
    </Text>
  );
}

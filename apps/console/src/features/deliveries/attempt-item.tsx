import { Alert, Button, Collapse, Group, Progress, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import {
  IconChevronDown,
  IconChevronRight,
  IconCircleCheck,
  IconCircleX,
  IconClockExclamation,
  IconRadar,
} from '@tabler/icons-react';
import { durationInWords } from '../../formats/duration-in-words';
import { OutcomeInWords } from '../../formats/outcome-in-words';
import { Time } from '../../formats/time';
import { ToneBadge } from '../../formats/tone-badge';
import type { Schema } from '../../api/schema';
import { AttemptEvidence } from './attempt-evidence';

interface AttemptItemProps {
  attempt: Schema<'AttemptDto'>;
  /** Of all attempts on the screen: the bars are drawn against it. */
  longestMs: number;
}

/** One POST: what came of it, when, how long it took, where to. */
export function AttemptItem({ attempt, longestMs }: AttemptItemProps) {
  const { number, startedAt, durationMs, outcome, httpStatus, detail, url, clockSkewMs } = attempt;
  const [isOpen, evidence] = useDisclosure(false);
  const isGood = outcome === 'acknowledged';
  const evidenceId = `attempt-${String(number)}-evidence`;
  return (
    <Stack gap={6} align="flex-start">
      <Group gap="xs">
        <ToneBadge tone={isGood ? 'good' : 'bad'} icon={isGood ? IconCircleCheck : IconCircleX}>
          <OutcomeInWords outcome={outcome} httpStatus={httpStatus} />
        </ToneBadge>
        {attempt.probe && (
          <ToneBadge
            tone="quiet"
            icon={IconRadar}
            hint="Sent to find out whether a consumer that was down is back; it spends nothing of the retry schedule"
          >
            Trial while the consumer was down
          </ToneBadge>
        )}
        <Text size="sm">
          <Time at={startedAt} />
        </Text>
      </Group>
      {!isGood && detail !== `HTTP ${String(httpStatus)}` && (
        <Text style={{ overflowWrap: 'anywhere' }}>{detail}</Text>
      )}
      <Group gap="xs" w="100%">
        <Progress.Root w={{ base: 120, sm: 240 }} size="sm" aria-hidden>
          <Progress.Section
            value={Math.max(1, (durationMs / longestMs) * 100)}
            color={isGood ? 'green.8' : 'red.8'}
            withAria={false}
          />
        </Progress.Root>
        <Text size="sm">took {durationInWords(durationMs)}</Text>
      </Group>
      <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        POST {url}, signed with version {attempt.credentialVersion} of the credentials
      </Text>
      {clockSkewMs !== null && (
        <Alert color="yellow" variant="outline" icon={<IconClockExclamation />} title="The clocks differ">
          The consumer’s clock was {durationInWords(Math.abs(clockSkewMs))}{' '}
          {clockSkewMs > 0 ? 'ahead of' : 'behind'} ours. It may refuse signatures as too old or too new: ask
          them to set their clock (NTP).
        </Alert>
      )}
      <Button
        variant="subtle"
        size="compact-sm"
        aria-expanded={isOpen}
        aria-controls={evidenceId}
        leftSection={isOpen ? <IconChevronDown size={16} /> : <IconChevronRight size={16} />}
        onClick={evidence.toggle}
      >
        What was sent and answered
        <Text span inherit style={{ position: 'absolute', clipPath: 'inset(50%)' }}>
          {' '}
          in attempt {number}
        </Text>
      </Button>
      <Collapse expanded={isOpen} id={evidenceId} w="100%">
        {isOpen && <AttemptEvidence attempt={attempt} />}
      </Collapse>
    </Stack>
  );
}

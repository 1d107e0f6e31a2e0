import {
  Accordion,
  Alert,
  Button,
  CopyButton,
  Group,
  Progress,
  Stack,
  Text,
  Timeline,
  VisuallyHidden,
} from '@mantine/core';
import { IconCircleCheck, IconCircleX, IconClockExclamation, IconRadar } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import type { Schema } from '../../api';
import { EmptyState } from '../../feedback';
import { durationInWords, JsonView, outcomeInWords, Time, ToneBadge, skewInWords } from '../../formats';
import { Section } from '../../page/section';
import { attemptInText } from './attempt-in-text';
import { useMay } from '../../signed-in/use-me';

type Attempt = Schema<'AttemptDto'>;

/** A consumer that is down for days receives hundreds of probes. */
const SHOWN_AT_FIRST = 20;

/** Every attempt, newest first: the newest shows what is wrong now. */
export function AttemptTimeline({ delivery }: { delivery: Schema<'DeliveryDetailDto'> }) {
  const { attempts } = delivery;
  const [isWhole, setIsWhole] = useState(false);
  const newestFirst = attempts.toReversed();
  const shown = isWhole ? newestFirst : newestFirst.slice(0, SHOWN_AT_FIRST);
  const longestMs = Math.max(1, ...attempts.map(({ durationMs }) => durationMs));
  return (
    <Section title="Attempts, newest first">
      {attempts.length === 0 && (
        <EmptyState title="No attempts yet">Nothing has been sent. The reason is shown above.</EmptyState>
      )}
      <Timeline bulletSize={28} lineWidth={2}>
        {shown.map((attempt) => (
          <Timeline.Item key={attempt.number} bullet={<Text size="xs">{attempt.number}</Text>}>
            <AttemptItem
              attempt={attempt}
              longestMs={longestMs}
              evidence={<AttemptEvidence attempt={attempt} text={attemptInText(delivery, attempt)} />}
            />
          </Timeline.Item>
        ))}
      </Timeline>
      {shown.length < attempts.length && (
        <Button variant="default" onClick={() => setIsWhole(true)}>
          Show all {attempts.length} attempts
        </Button>
      )}
    </Section>
  );
}

interface AttemptItemProps {
  attempt: Attempt;
  /** The longest attempt on the screen: a full bar. */
  longestMs: number;
  /** What was sent and answered. */
  evidence: ReactNode;
}

/** One POST: its outcome, time, duration and URL. */
function AttemptItem({ attempt, longestMs, evidence }: AttemptItemProps) {
  const { number, startedAt, durationMs, outcome, httpStatus, advice, url, clockSkewMs, remoteAddress } =
    attempt;
  const isViewer = useMay('viewer');
  // A consumer's own people see the advice only.
  const detail = attempt.detail ?? advice;
  const isGood = outcome === 'acknowledged';
  return (
    <Stack gap={6} align="flex-start">
      <Group gap="xs">
        <ToneBadge
          label={outcomeInWords(outcome, httpStatus)}
          tone={isGood ? 'good' : 'bad'}
          icon={isGood ? IconCircleCheck : IconCircleX}
        />
        {attempt.probe && isViewer && (
          <ToneBadge
            label="Probe"
            tone="quiet"
            icon={IconRadar}
            hint="Sent to find out whether a consumer that was down is back; it is not counted in the retry schedule"
          />
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
        POST {url}
        {remoteAddress !== null && `, sent to the address ${remoteAddress}`}, signed with version{' '}
        {attempt.credentialVersion} of the credentials
      </Text>
      {clockSkewMs !== null && (
        <Alert color="yellow" icon={<IconClockExclamation />} title="The clocks differ">
          The server’s clock was {skewInWords(clockSkewMs)}. It can refuse signatures as too old or too new:
          its clock has to be set (NTP).
        </Alert>
      )}
      <Accordion variant="contained" chevronPosition="left" keepMounted={false} w="100%">
        <Accordion.Item value="evidence">
          <Accordion.Control>
            What was sent and answered<VisuallyHidden> in attempt {number}</VisuallyHidden>
          </Accordion.Control>
          <Accordion.Panel>{evidence}</Accordion.Panel>
        </Accordion.Item>
      </Accordion>
    </Stack>
  );
}

/** The recorded request headers and the consumer’s response. */
function AttemptEvidence({ attempt, text }: { attempt: Attempt; text: string }) {
  const { requestHeaders, responseHeaders, responseBody, responseTruncated, responseWithheld } = attempt;
  return (
    <Stack gap="sm" py="xs">
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <Button variant="default" size="compact-sm" w="fit-content" onClick={copy}>
            {copied ? 'Copied' : 'Copy as text'}
          </Button>
        )}
      </CopyButton>
      <JsonView what="Request headers (secrets left out)" value={requestHeaders} />
      {responseWithheld && (
        <Text>
          The answer is hidden from the role viewer: a consumer can repeat account numbers in it. The role
          oncall sees it.
        </Text>
      )}
      {!responseWithheld && responseHeaders === null && <Text>No answer was received.</Text>}
      {responseHeaders !== null && <JsonView what="Response headers" value={responseHeaders} />}
      {responseBody === '' && <Text>The answer had no body.</Text>}
      {responseBody !== null && responseBody !== '' && (
        <JsonView
          what={responseTruncated ? 'Response body (first 4 KiB)' : 'Response body'}
          value={responseBody}
        />
      )}
    </Stack>
  );
}

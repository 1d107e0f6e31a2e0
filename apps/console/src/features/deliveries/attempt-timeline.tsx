import { Button, Stack, Text, Timeline, Title } from '@mantine/core';
import { useState } from 'react';
import { EmptyState } from '../../feedback/empty-state';
import type { Schema } from '../../api/schema';
import { AttemptItem } from './attempt-item';

/** A consumer that is down for days is probed hundreds of times. */
const SHOWN_AT_FIRST = 20;

/** Every attempt, the newest first: that is the one that tells what is wrong now. */
export function AttemptTimeline({ attempts }: { attempts: readonly Schema<'AttemptDto'>[] }) {
  const [isWhole, setIsWhole] = useState(false);
  const newestFirst = attempts.toReversed();
  const shown = isWhole ? newestFirst : newestFirst.slice(0, SHOWN_AT_FIRST);
  const longestMs = Math.max(1, ...attempts.map(({ durationMs }) => durationMs));
  return (
    <Stack component="section" aria-labelledby="attempts" gap="sm">
      <Title order={2} size="h3" id="attempts">
        Attempts
      </Title>
      {attempts.length === 0 ? (
        <EmptyState title="Not tried yet">
          Nothing has been sent to the consumer. Above it says what this delivery waits for.
        </EmptyState>
      ) : (
        <>
          <Text size="sm" c="dimmed">
            The newest first.
          </Text>
          <Timeline bulletSize={28} lineWidth={2}>
            {shown.map((attempt) => (
              <Timeline.Item key={attempt.number} bullet={<Text size="xs">{attempt.number}</Text>}>
                <AttemptItem attempt={attempt} longestMs={longestMs} />
              </Timeline.Item>
            ))}
          </Timeline>
          {shown.length < attempts.length && (
            <Button variant="default" onClick={() => setIsWhole(true)}>
              Show all {attempts.length} attempts
            </Button>
          )}
        </>
      )}
    </Stack>
  );
}

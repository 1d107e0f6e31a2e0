import { Alert, Stack, Text } from '@mantine/core';
import { IconPlugConnectedX, IconServerOff, type Icon } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { answerOf, api, ProblemError, type Schema } from '../api';
import { Age, Time } from '../formats';

/** The names of the infrastructure parts. */
export const PART_NAMES: Readonly<Record<Schema<'PartDto'>['name'], string>> = {
  postgres: 'PostgreSQL',
  redis: 'Redis',
};

const ASK_EVERY_MS = 2_000;
const ANSWER_WITHIN_MS = 5_000;

/** Whether PostgreSQL and Redis are up; works without both. */
export function useStatus() {
  return useQuery({
    queryKey: ['status'],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/v1/status', { signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_WITHIN_MS)]) }),
      ),
    refetchInterval: ASK_EVERY_MS,
    retry: false,
  });
}

/** Shows above every screen which part is down. */
export function HealthBanner() {
  const { data, error, dataUpdatedAt } = useStatus();
  const down = data?.parts.filter((part) => part.state === 'down') ?? [];
  if (error !== null && !(error instanceof ProblemError)) {
    return (
      <Banner icon={IconPlugConnectedX} title="No answer from the api">
        {dataUpdatedAt > 0 && (
          <>
            The last answer came at <Time at={new Date(dataUpdatedAt).toISOString()} />.{' '}
          </>
        )}
        What you see is not current. Check: is the api process running, and can this browser reach it? This
        page tries again every 2 s.
      </Banner>
    );
  }
  if (down.length === 0) return null;
  return (
    <Stack gap="xs">
      {down.map(({ name, since, detail, whatToDo }) => (
        <Banner key={name} icon={IconServerOff} title={`${PART_NAMES[name]} is down`}>
          Down <Age at={since} />. {whatToDo}
          {detail !== null && <div>Error: {detail}</div>}
        </Banner>
      ))}
    </Stack>
  );
}

const Banner = (props: { icon: Icon; title: string; children: ReactNode }) => (
  <Alert color="red.9" variant="filled" role="alert" icon={<props.icon />} title={props.title}>
    <Text size="sm" component="div">
      {props.children}
    </Text>
  </Alert>
);

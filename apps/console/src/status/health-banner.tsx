import { Alert, Stack, Text } from '@mantine/core';
import { IconPlugConnectedX, IconServerOff } from '@tabler/icons-react';
import { Age, Time } from '../formats/time';
import { ProblemError } from '../api/problem-error';
import type { Schema } from '../api/schema';
import { useStatus } from './use-status';

const NAMES: Readonly<Record<Schema<'PartDto'>['name'], string>> = {
  postgres: 'PostgreSQL',
  redis: 'Redis',
};

/** Says above everything else what is down; silent otherwise. */
export function HealthBanner() {
  const { data, error, dataUpdatedAt } = useStatus();
  const down = data?.parts.filter((part) => part.state === 'down') ?? [];
  if (error !== null && !(error instanceof ProblemError)) {
    return (
      <Alert
        color="red.9"
        variant="filled"
        role="alert"
        icon={<IconPlugConnectedX />}
        title="No answer from the api"
      >
        <Text size="sm">
          {dataUpdatedAt > 0 && (
            <>
              The last answer came at <Time at={new Date(dataUpdatedAt).toISOString()} />.{' '}
            </>
          )}
          What you see is not current. Check: is the api process running, and can this browser reach it? This
          page tries again every 2 s.
        </Text>
      </Alert>
    );
  }
  if (down.length === 0) return null;
  return (
    <Stack gap="xs">
      {down.map(({ name, since, detail, whatToDo }) => (
        <Alert
          key={name}
          color="red.9"
          variant="filled"
          role="alert"
          icon={<IconServerOff />}
          title={`${NAMES[name]} is down`}
        >
          <Text size="sm">
            Down <Age at={since} />. {whatToDo}
          </Text>
          {detail !== null && <Text size="sm">Error: {detail}</Text>}
        </Alert>
      ))}
    </Stack>
  );
}

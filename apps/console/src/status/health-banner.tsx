import { Alert, Stack, Text } from '@mantine/core';
import { IconPlugConnectedX, IconServerOff, type Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { ProblemError } from '../api/problem-error';
import { Age, Time } from '../formats/time';
import { PART_NAMES, useStatus } from './use-status';

/** Says above everything else what is down; silent otherwise. */
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

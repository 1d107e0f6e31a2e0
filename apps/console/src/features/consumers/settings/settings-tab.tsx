import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useMay } from '../../../session/use-may';
import type { ConsumerTabProps } from '../consumer-tab';
import { valuesOf } from '../consumer-form/consumer-values';
import { SettingsForm } from './settings-form';
import { SettingsTable } from './settings-table';

/** What the consumer is set to; an operator changes it. */
export function SettingsTab({ consumer }: ConsumerTabProps) {
  const isOperator = useMay('operator');
  const [isEditing, setIsEditing] = useState(false);
  if (isEditing) return <SettingsForm consumer={consumer} onDone={() => setIsEditing(false)} />;
  return (
    <Stack>
      {isOperator ? (
        <Group>
          <Button onClick={() => setIsEditing(true)}>Change the settings</Button>
        </Group>
      ) : (
        <Text c="dimmed">An operator can change these.</Text>
      )}
      {consumer.allPayments && (
        <Alert color="yellow" variant="outline" title="It gets every payment of the bank" />
      )}
      <SettingsTable values={valuesOf(consumer)} />
    </Stack>
  );
}

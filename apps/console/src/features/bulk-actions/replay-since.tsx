import { Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconRepeat } from '@tabler/icons-react';
import { useState } from 'react';
import { MomentField } from '../../formats';
import type { Consumer } from '../../queries/use-consumers';
import { BulkDialog } from './bulk-dialog';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** The start of the minute before: the first failed delivery was accepted a little earlier. */
const justBefore = (at: number): string =>
  new Date(Math.floor((at - MINUTE_MS) / MINUTE_MS) * MINUTE_MS).toISOString();

/** The button that replays all unacknowledged deliveries of a consumer since a time. */
export function ReplaySince({ consumer }: { consumer: Consumer }) {
  const { id, name, health } = consumer;
  const [opened, dialog] = useDisclosure(false);
  const [openedAt, setOpenedAt] = useState(0);
  const [typed, setTyped] = useState<string | null>(null);
  const open = (): void => {
    setOpenedAt(Date.now());
    setTyped(null);
    dialog.open();
  };
  const firstFailure = health.since === null ? null : justBefore(Date.parse(health.since));
  const lastHour = justBefore(openedAt - HOUR_MS);
  const since = typed ?? firstFailure ?? lastHour;
  const presets = [
    ...(firstFailure === null ? [] : [{ label: 'First failure', at: firstFailure }]),
    { label: 'Last hour', at: lastHour },
    { label: 'Last 24 h', at: justBefore(openedAt - 24 * HOUR_MS) },
  ];
  return (
    <>
      <Button variant="default" leftSection={<IconRepeat size={16} />} onClick={open}>
        Replay since …
      </Button>
      <BulkDialog
        opened={opened}
        onClose={dialog.close}
        kind="replay"
        title={`Replay what ${name} has not acknowledged`}
        filter={{ consumerId: id, delivered: false, from: since }}
        blockedBecause={since === '' ? 'Enter a date and time.' : null}
      >
        <MomentField label="Accepted since" value={since} onChange={setTyped} />
        <Group gap="xs">
          {presets.map(({ label, at }) => (
            <Button
              key={label}
              size="compact-sm"
              variant={at === since ? 'filled' : 'default'}
              onClick={() => setTyped(at)}
            >
              {label}
            </Button>
          ))}
        </Group>
      </BulkDialog>
    </>
  );
}

import { Button, Checkbox, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconRepeat } from '@tabler/icons-react';
import { useState } from 'react';
import { MomentField } from '../../formats';
import type { Consumer } from '../../queries/use-consumers';
import { BulkDialog } from './bulk-dialog';
import { PeriodCounts } from './period-counts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** The start of the minute before: the first failed delivery was accepted a little earlier. */
const justBefore = (at: number): string =>
  new Date(Math.floor((at - MINUTE_MS) / MINUTE_MS) * MINUTE_MS).toISOString();

/** The next full second. */
const justAfter = (at: number): string => new Date(Math.ceil(at / SECOND_MS) * SECOND_MS).toISOString();

/**
 * The button that replays the deliveries of a consumer that were accepted in a period: what it has not acknowledged, and on
 * request what it has.
 */
export function ReplayPeriod({ consumer }: { consumer: Consumer }) {
  const { id, name, health } = consumer;
  const [opened, dialog] = useDisclosure(false);
  const [openedAt, setOpenedAt] = useState(0);
  const [typed, setTyped] = useState<{ from?: string; to?: string }>({});
  const [hasAcknowledged, setHasAcknowledged] = useState(false);
  const open = (): void => {
    setOpenedAt(Date.now());
    setTyped({});
    setHasAcknowledged(false);
    dialog.open();
  };
  const firstFailure = health.since === null ? null : justBefore(Date.parse(health.since));
  const lastHour = justBefore(openedAt - HOUR_MS);
  const { from = firstFailure ?? lastHour, to = justAfter(openedAt) } = typed;
  const period = { consumerId: id, from, to };
  const blockedBecause = from === '' || to === '' ? 'Enter both dates and times.' : null;
  const presets = [
    ...(firstFailure === null ? [] : [{ label: 'Since the first failure', at: firstFailure }]),
    { label: 'Last hour', at: lastHour },
    { label: 'Last 24 h', at: justBefore(openedAt - 24 * HOUR_MS) },
  ];
  return (
    <>
      <Button variant="default" leftSection={<IconRepeat size={16} />} onClick={open}>
        Replay a period …
      </Button>
      <BulkDialog
        opened={opened}
        onClose={dialog.close}
        kind="replay"
        title={`Replay a period of ${name}`}
        filter={{ ...period, ...(hasAcknowledged ? { openOrDelivered: true } : { delivered: false }) }}
        blockedBecause={blockedBecause}
      >
        <Group grow align="flex-start">
          <MomentField
            label="Accepted from"
            value={from}
            onChange={(value) => setTyped({ from: value, to })}
          />
          <MomentField
            label="Accepted before"
            value={to}
            onChange={(value) => setTyped({ from, to: value })}
          />
        </Group>
        <Group gap="xs">
          {presets.map(({ label, at }) => (
            <Button
              key={label}
              size="compact-sm"
              variant={at === from ? 'filled' : 'default'}
              onClick={() => setTyped({ from: at })}
            >
              {label}
            </Button>
          ))}
        </Group>
        <Checkbox
          label={`Also what ${name} has acknowledged`}
          description="When the consumer confirmed notifications that it no longer has"
          checked={hasAcknowledged}
          onChange={(event) => setHasAcknowledged(event.currentTarget.checked)}
        />
        {opened && blockedBecause === null && (
          <PeriodCounts period={period} hasAcknowledged={hasAcknowledged} />
        )}
      </BulkDialog>
    </>
  );
}

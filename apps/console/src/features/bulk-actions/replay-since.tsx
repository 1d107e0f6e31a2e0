import { Button, Group } from '@mantine/core';
import { IconRepeat } from '@tabler/icons-react';
import { useState } from 'react';
import { MomentField } from '../../formats/moment-field';
import { useFailures } from '../consumers/health/use-timeline';
import { BulkDialog } from './bulk-dialog';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** The start of the minute before: what failed first was accepted a little earlier. */
const justBefore = (at: number): string =>
  new Date(Math.floor((at - MINUTE_MS) / MINUTE_MS) * MINUTE_MS).toISOString();

/** A button that replays everything since a time that a consumer has not acknowledged. */
export function ReplaySince({ consumer: { id, name } }: { consumer: { id: string; name: string } }) {
  const [openedAt, setOpenedAt] = useState<number | null>(null);
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconRepeat size={16} />}
        onClick={() => setOpenedAt(Date.now())}
      >
        Replay since …
      </Button>
      {openedAt !== null && (
        <ReplayDialog id={id} name={name} openedAt={openedAt} onClose={() => setOpenedAt(null)} />
      )}
    </>
  );
}

function ReplayDialog(props: { id: string; name: string; openedAt: number; onClose: () => void }) {
  const { id, name, openedAt, onClose } = props;
  const { data, error } = useFailures(id);
  const [typed, setTyped] = useState<string | null>(null);
  const firsts = (data?.failures ?? []).map(({ firstAt }) => Date.parse(firstAt));
  const firstFailure = firsts.length === 0 ? null : justBefore(Math.min(...firsts));
  const lastHour = justBefore(openedAt - HOUR_MS);
  const since = typed ?? firstFailure ?? lastHour;
  const isLoading = data === undefined && error === null;
  const presets = [
    ...(firstFailure === null ? [] : [{ label: 'First failure in 24 h', at: firstFailure }]),
    { label: 'Last hour', at: lastHour },
    { label: 'Last 24 h', at: justBefore(openedAt - 24 * HOUR_MS) },
  ];
  return (
    <BulkDialog
      opened
      onClose={onClose}
      kind="replay"
      title={`Replay what ${name} has not acknowledged`}
      filter={{ consumerId: id, delivered: false, from: since }}
      blockedBecause={isLoading ? 'Loading …' : since === '' ? 'Enter a date and time.' : null}
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
  );
}

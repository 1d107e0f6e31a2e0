import { Button, Tooltip } from '@mantine/core';
import { IconClock } from '@tabler/icons-react';
import { localZone, UTC, zoneLabel } from '../formats/moment-in-words';
import { chooseTimes, useZone } from '../formats/use-zone';

/** The zone of every time, those of fields included; a click shows the other one. */
export function ZoneButton() {
  const zone = useZone();
  const isUtc = zone === UTC;
  const offer = isUtc ? `local time (${localZone()})` : 'UTC';
  return (
    <Tooltip label={`All times are in ${isUtc ? UTC : zone}. Show ${offer}.`}>
      <Button
        variant="default"
        px="xs"
        leftSection={<IconClock size={16} aria-hidden />}
        aria-label={`Times in ${zoneLabel(zone)}. Show ${offer}`}
        onClick={() => chooseTimes(isUtc ? 'local' : 'utc')}
      >
        {zoneLabel(zone)}
      </Button>
    </Tooltip>
  );
}

import { Progress, Stack, Text } from '@mantine/core';
import { countInWords } from '../../formats/count-in-words';
import { BULK_KINDS, type BulkAction } from './bulk-words';

/** How far a bulk action has come; null while nobody knows of how many. */
export function percentOf({ state, matched, processed }: BulkAction): number | null {
  if (state === 'finished') return 100;
  if (matched === null) return null;
  return matched === 0 ? 0 : Math.min(100, Math.floor((processed / matched) * 100));
}

/** A bulk action's progress as a bar and in numbers. */
export function BulkProgress({ action }: { action: BulkAction }) {
  const { processed, matched, changed, skipped, state } = action;
  const percent = percentOf(action);
  const { verb, past } = BULK_KINDS[action.action];
  const color = { running: 'blue.8', finished: 'green.8', stopped: 'yellow.8', failed: 'red.9' }[state];
  return (
    <Stack gap={4}>
      {percent !== null && (
        <Progress.Root size="lg">
          <Progress.Section value={percent} color={color} aria-label={`${verb}: ${String(percent)} %`} />
        </Progress.Root>
      )}
      <Text size="sm">
        {countInWords(processed)} {matched !== null && `of ${countInWords(Math.max(matched, processed))} `}
        looked at: {countInWords(changed)} {past.toLowerCase()}
        {skipped > 0 && `, ${countInWords(skipped)} skipped`}
        {percent !== null && ` (${String(percent)} %)`}
      </Text>
    </Stack>
  );
}

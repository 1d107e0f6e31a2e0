import { Box, Group, Text } from '@mantine/core';
import { CopyButton } from './copy-button';
import styles from './json-view.module.css';

/** A text exactly as it is, no space added or taken, with a button to copy it. */
export function VerbatimText({ value, what }: { value: string; what: string }) {
  return (
    <Box className={styles['frame']}>
      <Group justify="space-between" px="xs" py={4}>
        <Text size="sm" fw={600}>
          {what}
        </Text>
        <CopyButton value={value} what={what} />
      </Group>
      <pre
        className={styles['text']}
        tabIndex={0}
        role="region"
        aria-label={what}
        style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
      >
        {value}
      </pre>
    </Box>
  );
}

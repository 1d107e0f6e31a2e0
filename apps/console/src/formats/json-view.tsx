import { Box, Group, Text } from '@mantine/core';
import { CopyButton } from './copy-button';
import styles from './json-view.module.css';

/** A value as JSON, or a text that is taken for JSON when it is, with a button to copy exactly what is shown. */
export function JsonView({ value, what }: { value: unknown; what: string }) {
  const text = typeof value === 'string' ? indented(value) : JSON.stringify(value, null, 2);
  return (
    <Box className={styles['frame']}>
      <Group justify="space-between" px="xs" py={4}>
        <Text size="sm" fw={600}>
          {what}
        </Text>
        <CopyButton value={text} what={what} />
      </Group>
      <pre className={styles['text']} tabIndex={0} role="region" aria-label={what}>
        {text}
      </pre>
    </Box>
  );
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

import { Box, Group, Text } from '@mantine/core';
import { CopyButton } from './copy-button';
import styles from './json-view.module.css';

/** A text character by character as it is, wrapped on the screen only if at all, with a button that copies it. */
export function ExactText(props: { text: string; what: string; isWrapped?: boolean }) {
  const { text, what, isWrapped = true } = props;
  return (
    <Box className={styles['frame']}>
      <Group justify="space-between" px="xs" py={4}>
        <Text size="sm" fw={600}>
          {what}
        </Text>
        <CopyButton value={text} what={what} />
      </Group>
      <pre
        className={`${styles['text'] ?? ''} ${isWrapped ? (styles['wrapped'] ?? '') : ''}`}
        tabIndex={0}
        role="region"
        aria-label={what}
      >
        {text}
      </pre>
    </Box>
  );
}

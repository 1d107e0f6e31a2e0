import { ActionIcon, Code, CopyButton as Copying, Group, Paper, Text, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';

/** Copies a value; `what` names it for screen readers. */
export function CopyButton({ value, what }: { value: string; what: string }) {
  return (
    <Copying value={value}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? 'Copied' : `Copy ${what}`}>
          <ActionIcon
            variant="subtle"
            size="sm"
            aria-label={copied ? `Copied ${what}` : `Copy ${what}`}
            onClick={copy}
          >
            {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
          </ActionIcon>
        </Tooltip>
      )}
    </Copying>
  );
}

/** An id, with a button that copies it. */
export const CopiedId = ({ value, what }: { value: string; what: string }) => (
  <>
    <Text span inherit ff="monospace" fz="sm">
      {value}
    </Text>{' '}
    <CopyButton value={value} what={what} />
  </>
);

/** A text without any change, with a button that copies it. */
export function ExactText(props: { text: string; what: string; isWrapped?: boolean }) {
  const { text, what, isWrapped = true } = props;
  return (
    <Paper withBorder>
      <Group justify="space-between" px="xs" py={4}>
        <Text size="sm" fw={600}>
          {what}
        </Text>
        <CopyButton value={text} what={what} />
      </Group>
      <Code
        block
        fz="sm"
        mah="28rem"
        style={isWrapped ? WRAPPED : SCROLLED}
        tabIndex={0}
        role="region"
        aria-label={what}
      >
        {text}
      </Code>
    </Paper>
  );
}

const SCROLLED = { overflow: 'auto' } as const;
const WRAPPED = { ...SCROLLED, whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' } as const;

/** A value or a JSON text, indented, with a button that copies what is shown. */
export const JsonView = ({ value, what }: { value: unknown; what: string }) => (
  <ExactText
    text={typeof value === 'string' ? indented(value) : JSON.stringify(value, null, 2)}
    what={what}
    isWrapped={false}
  />
);

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

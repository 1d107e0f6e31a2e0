import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Schema } from '../../api';
import { ConfirmDialog, useCommand } from '../../feedback';

interface RevokeKeyProps {
  apiKey: Pick<Schema<'ApiKeyDto'>, 'name'>;
  what?: 'key' | 'sign-in link';
  /** What happens to those who use it. */
  effect: string;
  revoke: () => Promise<void>;
}

/** The button that revokes a key or a link, and the question before it. */
export function RevokeKey({ apiKey: { name }, what = 'key', effect, revoke }: RevokeKeyProps) {
  const [opened, dialog] = useDisclosure(false);
  const run = useCommand();
  return (
    <>
      <Button size="compact-sm" variant="default" aria-label={`Revoke ${name}`} onClick={dialog.open}>
        Revoke
      </Button>
      <ConfirmDialog
        opened={opened}
        onClose={dialog.close}
        title={`Revoke “${name}”`}
        effect={`${effect} This cannot be undone; a new ${what} can be created.`}
        confirm="Revoke"
        onConfirm={() => run(revoke(), 'Revoked', `The ${what} ${name} is revoked.`)}
      />
    </>
  );
}

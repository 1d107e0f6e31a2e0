import { notifications } from '@mantine/notifications';
import { ConfirmDialog } from '../../feedback/confirm-dialog';
import { useMe } from '../../session/use-me';
import type { ApiKey } from './use-api-keys';
import { useRevokeApiKey } from './use-revoke-api-key';

/** Asks before a key is revoked. `apiKey` null: closed. */
export function RevokeDialog({ apiKey, onClose }: { apiKey: ApiKey | null; onClose: () => void }) {
  const { data: me } = useMe();
  const revoke = useRevokeApiKey();
  const name = apiKey?.name ?? '';
  const onConfirm = async (): Promise<void> => {
    if (apiKey === null) return;
    await revoke.mutateAsync(apiKey.id);
    notifications.show({
      color: 'green',
      title: 'Revoked',
      message: `The key “${name}” is refused from now on.`,
    });
  };
  const own =
    me?.name === name ? ' You are signed in under this name: if it is your own key, you are signed out.' : '';
  return (
    <ConfirmDialog
      opened={apiKey !== null}
      onClose={onClose}
      title={`Revoke “${name}”`}
      effect={`Within 2 seconds no process takes it any more, and whoever is signed in with it is signed out.${own} This cannot be undone; a new key can be made.`}
      confirm="Revoke it"
      onConfirm={onConfirm}
    />
  );
}

import type { Schema } from '../../api';
import { EmptyState } from '../../feedback';
import { Time } from '../../formats';
import { type Column, ListView, type ListViewProps } from '../../tables';
import { RevokeKey } from './revoke-key';

type Key = Schema<'PortalKeyDto'>;

interface ConsumerKeysProps extends Pick<ListViewProps<Key>, 'list' | 'rows' | 'caption'> {
  /** The columns before the times. */
  columns: readonly Column<Key>[];
  /** Shown while there is no key. */
  none: string;
  /** What happens to those who use a revoked key. */
  effect: string;
  /** Revokes a key; absent for people who may not. */
  revoke?: ((id: string) => Promise<void>) | undefined;
}

const TIMES: readonly Column<Key>[] = [
  { header: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
  { header: 'Expires', cell: ({ expiresAt }) => <Time at={expiresAt} absent="Never" /> },
  { header: 'Revoked', cell: ({ revokedAt }) => <Time at={revokedAt} absent="No" /> },
];

/** A consumer's keys, for operators and for its own people. */
export function ConsumerKeys({ columns, none, effect, revoke, ...list }: ConsumerKeysProps) {
  const actions = (key: Key) =>
    revoke === undefined || key.revokedAt !== null ? (
      '–'
    ) : (
      <RevokeKey apiKey={key} effect={effect} revoke={() => revoke(key.id)} />
    );
  return (
    <ListView
      {...list}
      columns={[
        ...columns,
        ...TIMES,
        ...(revoke === undefined ? [] : [{ header: 'Actions', cell: actions }]),
      ]}
      rowId={({ id }) => id}
      empty={<EmptyState title="No keys">{none}</EmptyState>}
    />
  );
}

import type { Schema } from '../../api';
import { EmptyState } from '../../feedback';
import { Time } from '../../formats';
import { type Column, ListView, type ListViewProps } from '../../tables';
import { RevokeKey } from './revoke-key';

type Key = Pick<Schema<'ApiKeyDto'>, 'id' | 'name' | 'createdAt' | 'expiresAt' | 'revokedAt'>;

interface ConsumerKeysProps<Row extends Key> extends Pick<ListViewProps<Row>, 'list' | 'rows' | 'caption'> {
  /** The columns before the times. */
  columns: readonly Column<Row>[];
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
export function ConsumerKeys<Row extends Key>(props: ConsumerKeysProps<Row>) {
  const { columns, none, effect, revoke, ...list } = props;
  return (
    <ListView
      {...list}
      columns={[...columns, ...TIMES]}
      rowId={({ id }) => id}
      rowActions={
        revoke &&
        ((key) =>
          key.revokedAt === null && <RevokeKey apiKey={key} effect={effect} revoke={() => revoke(key.id)} />)
      }
      empty={<EmptyState title="No keys">{none}</EmptyState>}
    />
  );
}

import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import { sayWhat } from './audit-acts';
import { targetOf } from './audit-target';
import type { AuditEntry } from './use-audit';

/** One entry as a sentence: `ops-anna paused Acme: they asked us to wait`. */
export function EntryInWords({ entry }: { entry: AuditEntry }) {
  const [before, after] = sayWhat(entry);
  const { name, path } = targetOf(entry);
  return (
    <>
      <strong>{actorOf(entry)}</strong> {before}
      {path === null ? (
        name
      ) : (
        <Anchor component={Link} to={path} inherit underline="always">
          {name}
        </Anchor>
      )}
      {after}
      {entry.reason !== null && `: ${entry.reason}`}
    </>
  );
}

/** An actor without a role is the dispatcher itself. */
export const actorOf = ({ actor, role }: AuditEntry): string => (role === null ? `The ${actor}` : actor);

import { Anchor, Group, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import { JsonView } from '../../formats/json-view';
import { ChangesTable } from './changes-table';
import { actorOf } from './entry-in-words';
import { targetOf } from './audit-target';
import type { AuditEntry } from './use-audit';

/** Everything that an entry holds, and the way to its neighbours. */
export function EntryDetails({ entry }: { entry: AuditEntry }) {
  const { actor, action, target, before, after, details, id } = entry;
  return (
    <Stack gap="sm" mt="xs">
      {before !== null && after !== null && <ChangesTable before={before} after={after} />}
      {tellsMore(entry) && <JsonView value={details} what="As it was recorded" />}
      <Text size="sm">
        Entry {id}, action <code>{action}</code>, about <code>{target}</code>.
      </Text>
      <Group gap="md">
        <Anchor component={Link} size="sm" to={`?${new URLSearchParams({ target }).toString()}`}>
          Everything about {targetOf(entry).name}
        </Anchor>
        <Anchor component={Link} size="sm" to={`?${new URLSearchParams({ actor }).toString()}`}>
          Everything by {actorOf(entry).replace(/^The /, 'the ')}
        </Anchor>
      </Group>
    </Stack>
  );
}

/** The names of the changed fields are the rows of the table already. */
const tellsMore = ({ details, after }: AuditEntry): boolean =>
  Object.keys(details).some((key) => key !== 'changed' || after === null);

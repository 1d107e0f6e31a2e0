import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import { ROLES_IN_WORDS } from '../../session/roles-in-words';
import type { ApiKey } from './use-api-keys';

/** A key's roles and what each may do; of a consumer's key, whose it is. */
export function RolesCell({ apiKey: { roles, consumerId } }: { apiKey: ApiKey }) {
  return (
    <div>
      {roles.map((role) => (
        <Text key={role} size="sm" component="div">
          <strong>{role}</strong>: {ROLES_IN_WORDS[role]}
        </Text>
      ))}
      {consumerId !== null && (
        <Anchor component={Link} to={`/consumers/${consumerId}`} size="sm" underline="always">
          The consumer that it belongs to
        </Anchor>
      )}
    </div>
  );
}

import { Group, Text } from '@mantine/core';
import { answerOf, api, doneBy, type Schema } from '../../../api';
import { EmptyState } from '../../../feedback';
import { Time } from '../../../formats';
import { Section } from '../../../page/section';
import { useMay } from '../../../signed-in/use-me';
import { type Column, ListView, useListPage } from '../../../tables';
import { CreateKey } from '../../api-keys/create-key';
import { RevokeKey } from '../../api-keys/revoke-key';
import type { Consumer } from '../../../queries/use-consumers';

type SignInLink = Schema<'SignInLinkDto'>;

const STATES: Readonly<Record<SignInLink['state'], string>> = {
  unused: 'Not used yet',
  used: 'Used',
  expired: 'Expired',
  revoked: 'Revoked',
};

const COLUMNS: readonly Column<SignInLink>[] = [
  { header: 'Person', cell: ({ name }) => name },
  {
    header: 'State',
    cell: ({ state, usedAt }) => (
      <>
        {STATES[state]} {usedAt !== null && <Time at={usedAt} />}
      </>
    ),
  },
  { header: 'Expires', cell: ({ expiresAt }) => <Time at={expiresAt} /> },
  {
    header: 'Created',
    cell: ({ createdBy, createdAt }) => (
      <>
        by {createdBy} <Time at={createdAt} />
      </>
    ),
  },
];

/** One-time links with which the consumer's people sign in. */
export function SignInLinks({ consumer: { id, name } }: { consumer: Consumer }) {
  const isOperator = useMay('operator');
  const links = useListPage(['consumers', id, 'sign-in-links'], (query, signal) =>
    answerOf(api.GET('/v1/consumers/{id}/sign-in-links', { params: { path: { id }, query }, signal })),
  );
  const revoke = (link: SignInLink) => {
    if (link.state !== 'unused' && link.state !== 'used') return null;
    const params = { path: { id, linkId: link.id } };
    return (
      <RevokeKey
        apiKey={link}
        what="sign-in link"
        effect="The link can no longer be used, and a session that it began ends within 2 seconds."
        revoke={() => doneBy(api.DELETE('/v1/consumers/{id}/sign-in-links/{linkId}', { params }))}
      />
    );
  };
  return (
    <Section title="Sign-in links">
      <Text>
        A link signs one person in to the portal of {name}, once, for 12 hours. Programs and people who come
        often use a key from the tab API keys.
        {!isOperator && ' Creating and revoking links needs the role operator.'}
      </Text>
      {isOperator && (
        <Group>
          <CreateKey
            kind="link"
            title="Create a sign-in link"
            nameHint="Name or mail address. The audit log shows it for everything that the person does"
            create={async (body) => {
              const params = { path: { id } };
              const link = await answerOf(api.POST('/v1/consumers/{id}/sign-in-links', { params, body }));
              // Without PUBLIC_URL the answer is a path of this console.
              return { name: link.name, key: new URL(link.url, window.location.origin).href };
            }}
          />
        </Group>
      )}
      <ListView
        list={links}
        rows={links.data?.signInLinks}
        caption="Sign-in links"
        columns={COLUMNS}
        rowId={(link) => link.id}
        rowActions={isOperator ? revoke : undefined}
        empty={<EmptyState title="No links yet">An operator creates one for each person.</EmptyState>}
      />
    </Section>
  );
}

import { Anchor } from '@mantine/core';
import { answerOf, api, doneBy, type Schema } from '../../../api';
import { Time } from '../../../formats';
import { Page } from '../../../page/page';
import { type Column, useListPage } from '../../../tables';
import { ConsumerKeys } from '../../api-keys/consumer-keys';
import { CreateKey } from '../../api-keys/create-key';
import { OWN } from '../own-queries';

const COLUMNS: readonly Column<Schema<'PortalKeyDto'>>[] = [
  { header: 'Name', cell: ({ name, isSession }) => (isSession ? `${name} (signed in by a link)` : name) },
  { header: 'Last used', cell: ({ lastUsedAt }) => <Time at={lastUsedAt} absent="Never" /> },
];

/** The own API keys. */
export function PortalKeysPage() {
  const keys = useListPage([OWN, 'keys'], (query, signal) =>
    answerOf(api.GET('/v1/portal/keys', { params: { query }, signal })),
  );
  return (
    <Page
      title="API keys"
      about={
        <>
          For your engineers: with a key your software reads the notifications of the last 90 days and does
          what this portal does. A person can sign in with it, too. The{' '}
          <Anchor href="/docs">API reference</Anchor> describes each request.
        </>
      }
      actions={
        <CreateKey
          title="Create an API key"
          nameHint="Who uses the key: a person or a program"
          create={(body) => answerOf(api.POST('/v1/portal/keys', { body }))}
        />
      }
    >
      <ConsumerKeys
        list={keys}
        rows={keys.data?.keys}
        caption="API keys"
        columns={COLUMNS}
        none="You need no key to receive notifications."
        effect="Requests with this key are refused within 2 seconds, and everybody who signed in with it is signed out."
        revoke={(id) => doneBy(api.DELETE('/v1/portal/keys/{id}', { params: { path: { id } } }))}
      />
    </Page>
  );
}

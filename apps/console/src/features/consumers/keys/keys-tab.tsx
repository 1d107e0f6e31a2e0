import { Group, Stack, Text } from '@mantine/core';
import { answerOf, api, doneBy } from '../../../api';
import type { Consumer } from '../../../queries/use-consumers';
import { useMay } from '../../../signed-in/use-me';
import { useListPage } from '../../../tables';
import { ConsumerKeys } from '../../api-keys/consumer-keys';
import { CreateKey } from '../../api-keys/create-key';

/** The keys with which the customer's own software reads its notifications. */
export function KeysTab({ consumer: { id, name } }: { consumer: Consumer }) {
  const isOperator = useMay('operator');
  const keys = useListPage(['consumers', id, 'keys'], (query, signal) =>
    answerOf(api.GET('/v1/consumers/{id}/keys', { params: { path: { id }, query }, signal })),
  );
  const revoke = (keyId: string) =>
    doneBy(api.DELETE('/v1/consumers/{id}/keys/{keyId}', { params: { path: { id, keyId } } }));
  return (
    <Stack>
      <Text>
        With a key the customer’s software reads its own notifications of the last 90 days (GET
        /v1/notifications), e.g. to check after an outage that it missed none. Sessions of people who signed
        in with a link are on the tab Portal.
        {!isOperator && ' Creating and revoking keys needs the role operator.'}
      </Text>
      {isOperator && (
        <Group>
          <CreateKey
            title={`Create a key for ${name}`}
            nameHint="Who uses the key; shown in the audit log"
            create={(body) =>
              answerOf(api.POST('/v1/consumers/{id}/keys', { params: { path: { id } }, body }))
            }
          />
        </Group>
      )}
      <ConsumerKeys
        list={keys}
        rows={keys.data?.apiKeys}
        caption="Keys of this consumer"
        columns={[{ header: 'Name', cell: (key) => key.name }]}
        none="The customer needs none to receive notifications."
        effect="Requests with this key are refused within 2 seconds."
        revoke={isOperator ? revoke : undefined}
      />
    </Stack>
  );
}

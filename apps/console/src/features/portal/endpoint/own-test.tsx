import { answerOf, api } from '../../../api';
import { QueryState } from '../../../feedback';
import { SampleTest } from '../../consumers/test-delivery/test-dialog';
import { useOwnConsumer, useOwnCredentials } from '../own-queries';

/** A test delivery to the own endpoint. */
export function OwnTest({ credentials }: { credentials?: 'current' | 'next' }) {
  const consumer = useOwnConsumer();
  const { data: versions } = useOwnCredentials();
  if (consumer.data === undefined) return <QueryState query={consumer} what="settings" />;
  return (
    <SampleTest
      eventTypes={consumer.data.eventTypes}
      hasScheduled={versions?.some(({ state }) => state === 'coming') ?? false}
      {...(credentials === undefined ? {} : { credentials })}
      send={(body) => answerOf(api.POST('/v1/portal/test', { body }))}
    />
  );
}

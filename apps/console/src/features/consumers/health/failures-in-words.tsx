import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { Schema } from '../../../api/schema';
import { OutcomeInWords } from '../../../formats/outcome-in-words';
import { Time } from '../../../formats/time';
import { useMay } from '../../../session/use-may';

/** One cause: how often, since when, and what to do about it. */
export function FailuresInWords({ group }: { group: Schema<'FailureGroupDto'> }) {
  const isOnCall = useMay('oncall');
  const { outcome, httpStatus, count, deliveries, firstAt, lastAt, advice, lastDetail, lastDeliveryId } =
    group;
  return (
    <Text component="div">
      <strong>
        <OutcomeInWords outcome={outcome} httpStatus={httpStatus} />
        {`: ${count === 1 ? 'once' : `${String(count)} times`}`}
      </strong>{' '}
      {deliveries > 1 && `in ${String(deliveries)} deliveries, `}last <Time at={lastAt} />
      {count > 1 && (
        <>
          , first <Time at={firstAt} />
        </>
      )}
      .<div style={{ overflowWrap: 'anywhere' }}>{lastDetail}</div>
      <div>
        <strong>What to do:</strong> {advice}{' '}
        <Anchor component={Link} to={`/deliveries/${lastDeliveryId}`}>
          Last failed delivery
        </Anchor>
        {isOnCall && (httpStatus === 401 || httpStatus === 403) && (
          <>
            {' · '}
            <Anchor component={Link} to={`?tab=signature&delivery=${lastDeliveryId}`}>
              Compare their signature
            </Anchor>
          </>
        )}
      </div>
    </Text>
  );
}

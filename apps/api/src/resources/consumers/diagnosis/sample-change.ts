import {
  ACH_STATUSES,
  achExample,
  buildEnvelope,
  checkPlain,
  newId,
  StatusChangeDto,
  WIRE_STATUSES,
  wireExample,
  type EventType,
} from '#libs/contracts';

const MARK = 'TEST-';

/** A new id that begins with the mark. It is as long as a UUID, so that it fits where a consumer stores ids. */
export const markedId = (): string => `${MARK}${newId().slice(MARK.length)}`;

/** The exact length of a `referenceId` (specification, "Wire"). */
const REFERENCE_LENGTH = 35;

/** The statuses of the specification; each belongs to one event type. */
export const SAMPLE_STATUSES = [...ACH_STATUSES, ...WIRE_STATUSES] as const;
export type SampleStatus = (typeof SAMPLE_STATUSES)[number];

/** The status of a test delivery: the one of each type that has the most fields. */
export const FULLEST_STATUS = {
  'ach.status': 'NOTICE_OF_CHANGE',
  'wire.status': 'Exception',
} as const satisfies Readonly<Record<EventType, SampleStatus>>;

/** A complete notification of a payment that does not exist: its ids begin with `TEST-`. */
export function sampleEnvelope(status: SampleStatus, now: Date): { notificationId: string; body: string } {
  const notificationId = markedId();
  const checked = checkPlain(StatusChangeDto, { ...sample(status), eventDateTime: now.toISOString() });
  if (!checked.ok) throw new Error(`the sample breaks the contract: ${JSON.stringify(checked.faults)}`);
  return { notificationId, body: buildEnvelope(checked.value, notificationId).body };
}

/** The sample of a status, with the reason if the status has one. */
function sample(status: SampleStatus): object {
  switch (status) {
    case 'INITIATED':
    case 'PROCESSED': {
      const example = achExample({ transactionId: markedId(), status });
      delete example.data.achEventInfo.returnNOC;
      return example;
    }
    case 'NOTICE_OF_CHANGE':
      return achExample({ transactionId: markedId(), status });
    case 'RETURN': {
      const returnNOC = {
        type: 'Return',
        reasonCode: 'R01',
        reasonDescription: 'Insufficient funds',
      } as const;
      return achExample({ transactionId: markedId(), status, returnNOC });
    }
    case 'Exception':
      return wireSample(status);
    case 'Review':
    case 'Send Ready':
    case 'Reject':
    case 'Error':
    case 'Complete': {
      const example = wireSample(status);
      delete example.data.wireEventInfo.exceptionInfo;
      return example;
    }
  }
}

function wireSample(status: (typeof WIRE_STATUSES)[number]): ReturnType<typeof wireExample> {
  const example = wireExample({ paymentId: markedId(), status });
  const wire = example.data.wireEventInfo.originalWire?.wireInfo;
  if (wire !== undefined) {
    wire.referenceId = `${MARK}${'0'.repeat(REFERENCE_LENGTH - MARK.length)}`;
    wire.endToEndId = markedId();
  }
  return example;
}

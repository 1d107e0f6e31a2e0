import {
  achExample,
  buildEnvelope,
  checkPlain,
  newId,
  StatusChangeDto,
  wireExample,
  type EventType,
} from '#libs/contracts';

const MARK = 'TEST-';

/** A new id that begins with the mark. It is as long as a UUID, so that it fits where a consumer stores ids. */
const markedId = (): string => `${MARK}${newId().slice(MARK.length)}`;

/** The exact length of a `referenceId` (specification, "Wire"). */
const REFERENCE_LENGTH = 35;

/** A complete notification of a payment that does not exist: its ids begin with `TEST-`. */
export function sampleEnvelope(eventType: EventType, now: Date): { notificationId: string; body: string } {
  const notificationId = markedId();
  const checked = checkPlain(StatusChangeDto, { ...sample(eventType), eventDateTime: now.toISOString() });
  if (!checked.ok) throw new Error(`the sample breaks the contract: ${JSON.stringify(checked.faults)}`);
  return { notificationId, body: buildEnvelope(checked.value, notificationId).body };
}

function sample(eventType: EventType): object {
  switch (eventType) {
    case 'ach.status':
      return achExample({ transactionId: markedId() });
    case 'wire.status': {
      const example = wireExample({ paymentId: markedId() });
      const wire = example.data.wireEventInfo.originalWire?.wireInfo;
      if (wire !== undefined) {
        wire.referenceId = `${MARK}${'0'.repeat(REFERENCE_LENGTH - MARK.length)}`;
        wire.endToEndId = markedId();
      }
      return example;
    }
  }
}

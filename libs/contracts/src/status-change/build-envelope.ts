import type { EventType } from '../closed-lists.js';
import { instantOf } from '../rules/instant.js';
import { dataOf, infoOf } from './envelope-data.js';
import type { StatusChangeDto } from './status-change.dto.js';
import { warningsOf, type ContractWarning } from './warnings.js';

/** A notification's exact bytes, and what the dispatcher needs to know of them. */
export interface Envelope {
  /** Sent byte for byte in every attempt, to every consumer. */
  readonly body: string;
  /**
   * What makes two requests the same: the body without its id, and the consumers named, in any order. The order of the
   * request's own keys does not matter.
   */
  readonly content: string;
  readonly eventType: EventType;
  /** ACH `transactionId` or wire `paymentId`; null: the event belongs to no payment. */
  readonly paymentId: string | null;
  readonly status: string | null;
  readonly traceNumber: string | null;
  readonly imad: string | null;
  /** Companies that the event names: whom it concerns. */
  readonly companyIds: readonly string[];
  readonly eventAt: Date;
  readonly warnings: readonly ContractWarning[];
}

/** What is searched for is kept in an index, which holds no text longer than this. */
const MAX_INDEXED = 255;

/**
 * Builds the envelope of a checked status change, once, at acceptance. Keys stand in the order of the
 * specification's tables, absent ones are left out, defaults are filled in, and the time is in UTC. Body and content are
 * put together from the same JSON text, which costs more than all the rest.
 */
export function buildEnvelope(change: StatusChangeDto, notificationId: string): Envelope {
  const eventAt = instantOf(change.eventDateTime);
  const { ach, wire } = infoOf(change);
  const { eventType, consumers } = change;
  const fields = membersOf({ eventType, eventDateTime: eventAt.toISOString(), data: dataOf(change) });
  return {
    body: `{${membersOf({ notificationId })},${fields}}`,
    content:
      consumers === undefined
        ? `{${fields}}`
        : `{${fields},${membersOf({ consumers: consumers.toSorted() })}}`,
    eventType,
    paymentId: ach?.transactionId ?? wire?.paymentId ?? null,
    status: ach?.status ?? wire?.status ?? null,
    traceNumber: indexed(ach?.traceNumber),
    imad: indexed(wire?.IMAD),
    companyIds: companiesNamedBy(change.data),
    eventAt,
    warnings: warningsOf(ach, wire),
  };
}

/** The companies that a body names, which `buildEnvelope` has built. */
export function companyIdsIn(body: string): string[] {
  const { data }: { data: StatusChangeDto['data'] } = JSON.parse(body);
  return companiesNamedBy(data);
}

function companiesNamedBy(data: StatusChangeDto['data']): string[] {
  const { ach, wire } = infoOf({ data });
  const ids = [
    ach?.debtor.achCompanyId,
    ach?.creditor.achCompanyId,
    wire?.originalWire?.originatorInfo.wireCompanyId,
  ];
  return [...new Set(ids.filter((id): id is string => id !== undefined))];
}

/** An object's JSON text without its braces, to be put together with other members. */
const membersOf = (given: object): string => JSON.stringify(given).slice(1, -1);

const indexed = (text: string | undefined): string | null =>
  text === undefined || text === '' || text.length > MAX_INDEXED ? null : text;

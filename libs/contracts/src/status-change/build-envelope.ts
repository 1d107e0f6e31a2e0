import type { EventType } from '../closed-lists.js';
import { instantOf } from '../rules/instant.js';
import { dataOf, infoOf } from './envelope-data.js';
import type { StatusChangeDto } from './status-change.dto.js';
import { warningsOf, type ContractWarning } from './warnings.js';

/** A notification's exact bytes, and the facts that the dispatcher uses. */
export interface Envelope {
  /** Sent byte for byte in every attempt, to every consumer. */
  readonly body: string;
  /**
   * Identifies repeated requests: the body without its id, and the named consumers in any order. The key order of the
   * request does not matter.
   */
  readonly content: string;
  readonly eventType: EventType;
  /** ACH `transactionId` or wire `paymentId`; null: the event has no payment. */
  readonly paymentId: string | null;
  readonly status: string | null;
  readonly traceNumber: string | null;
  readonly imad: string | null;
  /** Companies in the event: they decide the recipients. */
  readonly companyIds: readonly string[];
  readonly eventAt: Date;
  readonly warnings: readonly ContractWarning[];
}

/** Longest text in a search index. */
const MAX_INDEXED = 255;

/**
 * Builds the envelope of a checked status change, once, at acceptance. Keys have the order of the specification's tables,
 * absent ones are left out, defaults are filled in, and the time is in UTC. Body and content share one JSON text, since
 * making it is the main cost.
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

/** The companies in a body of `buildEnvelope`. */
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

/** An object's JSON text without its braces. */
const membersOf = (given: object): string => JSON.stringify(given).slice(1, -1);

const indexed = (text: string | undefined): string | null =>
  text === undefined || text === '' || text.length > MAX_INDEXED ? null : text;

import type { EventType } from '../closed-lists.js';
import type { AchEventInfoDto, AchPartyDto } from './ach-event.dto.js';
import { NO_REFERENCE, type OriginalWireDto, type WireAddressDto } from './original-wire.dto.js';
import type { StatusChangeDto } from './status-change.dto.js';
import { warningsOf, type ContractWarning } from './warnings.js';
import type { WireEventInfoDto } from './wire-event.dto.js';

/** A notification's exact bytes, and what the dispatcher needs to know of them. */
export interface Envelope {
  /** Sent byte for byte in every attempt, to every consumer. */
  readonly body: string;
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
 * specification's tables, absent ones are left out, defaults are filled in, and the time is in UTC.
 */
export function buildEnvelope(change: StatusChangeDto, notificationId: string): Envelope {
  const eventAt = new Date(change.eventDateTime);
  const { ach, wire } = infoOf(change);
  const body = JSON.stringify({
    notificationId,
    eventType: change.eventType,
    eventDateTime: eventAt.toISOString(),
    data: dataOf(change),
  });
  const companyIds = [
    ach?.debtor.achCompanyId,
    ach?.creditor.achCompanyId,
    wire?.originalWire?.originatorInfo.wireCompanyId,
  ].filter((id): id is string => id !== undefined);
  return {
    body,
    eventType: change.eventType,
    paymentId: ach?.transactionId ?? wire?.paymentId ?? null,
    status: ach?.status ?? wire?.status ?? null,
    traceNumber: indexed(ach?.traceNumber),
    imad: indexed(wire?.IMAD),
    companyIds: [...new Set(companyIds)],
    eventAt,
    warnings: warningsOf(ach, wire),
  };
}

/**
 * What makes two requests the same: the envelope without its id, and the consumers named, in any order. The order
 * of the request's own keys does not matter.
 */
export function contentOf(change: StatusChangeDto): string {
  return JSON.stringify({
    eventType: change.eventType,
    eventDateTime: new Date(change.eventDateTime).toISOString(),
    data: dataOf(change),
    consumers: change.consumers?.toSorted(),
  });
}

function infoOf({ data }: StatusChangeDto): { ach?: AchEventInfoDto; wire?: WireEventInfoDto } {
  return 'achEventInfo' in data ? { ach: data.achEventInfo } : { wire: data.wireEventInfo };
}

function dataOf(change: StatusChangeDto): object {
  const { ach, wire } = infoOf(change);
  if (ach !== undefined) return { achEventInfo: achInfo(ach) };
  if (wire !== undefined) return { wireEventInfo: wireInfo(wire) };
  throw new Error('a checked status change carries one of the two kinds of data');
}

const indexed = (text: string | undefined): string | null =>
  text === undefined || text === '' || text.length > MAX_INDEXED ? null : text;

function achInfo(ach: AchEventInfoDto): object {
  return {
    transactionId: ach.transactionId,
    status: ach.status,
    transactionType: ach.transactionType,
    standardEntryClass: ach.standardEntryClass,
    transferDate: ach.transferDate,
    traceNumber: ach.traceNumber,
    preNote: ach.preNote,
    amount: ach.amount,
    debtor: party(ach.debtor),
    creditor: party(ach.creditor),
    returnNOC: ach.returnNOC && {
      type: ach.returnNOC.type,
      reasonCode: ach.returnNOC.reasonCode,
      reasonDescription: ach.returnNOC.reasonDescription,
    },
  };
}

function party(given: AchPartyDto): object {
  return {
    achCompanyId: given.achCompanyId,
    achCompanyName: given.achCompanyName,
    name: given.name,
    financialInstitution: given.financialInstitution,
    account: { accountType: given.account.accountType, accountId: given.account.accountId },
  };
}

function wireInfo(wire: WireEventInfoDto): object {
  return {
    paymentId: wire.paymentId,
    status: wire.status,
    exceptionInfo: wire.exceptionInfo?.map((exception) => ({
      exceptionCode: exception.exceptionCode,
      exceptionDescription: exception.exceptionDescription,
    })),
    IMAD: wire.IMAD,
    OMAD: wire.OMAD,
    originalWire: wire.originalWire && originalWire(wire.originalWire),
  };
}

function originalWire({
  wireInfo: info,
  originatorInfo,
  beneficiaryInfo,
  remittanceInformation,
}: OriginalWireDto): object {
  const institution = beneficiaryInfo.institutionInfo;
  return {
    wireInfo: {
      paymentAmount: info.paymentAmount,
      referenceId: info.referenceId ?? NO_REFERENCE,
      endToEndId: info.endToEndId,
    },
    originatorInfo: {
      accountNumber: originatorInfo.accountNumber,
      accountType: originatorInfo.accountType ?? 'D',
      name: originatorInfo.name,
      wireCompanyId: originatorInfo.wireCompanyId,
      wireCompanyName: originatorInfo.wireCompanyName,
    },
    beneficiaryInfo: {
      accountNumber: beneficiaryInfo.accountNumber,
      accountType: beneficiaryInfo.accountType ?? 'D',
      name: beneficiaryInfo.name,
      address: address(beneficiaryInfo.address),
      institutionInfo: {
        name: institution.name,
        routingNumber: institution.routingNumber,
        address: institution.address && address(institution.address),
      },
    },
    remittanceInformation,
  };
}

const address = (given: WireAddressDto): object => ({
  addressLine: given.addressLine,
  city: given.city,
  state: given.state,
  postalCode: given.postalCode,
});

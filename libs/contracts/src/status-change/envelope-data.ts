import type { AchEventInfoDto, AchPartyDto } from './ach-event.dto.js';
import { NO_REFERENCE, type OriginalWireDto, type WireAddressDto } from './original-wire.dto.js';
import type { StatusChangeDto } from './status-change.dto.js';
import type { WireEventInfoDto } from './wire-event.dto.js';

/** The ACH or wire part of a status change. */
export function infoOf({ data }: Pick<StatusChangeDto, 'data'>): {
  ach?: AchEventInfoDto;
  wire?: WireEventInfoDto;
} {
  return 'achEventInfo' in data ? { ach: data.achEventInfo } : { wire: data.wireEventInfo };
}

/** `data` of the envelope: keys in the order of the specification's tables, defaults filled in. */
export function dataOf(change: StatusChangeDto): object {
  const { ach, wire } = infoOf(change);
  if (ach !== undefined) return { achEventInfo: achInfo(ach) };
  if (wire !== undefined) return { wireEventInfo: wireInfo(wire) };
  throw new Error('a checked status change has ACH or wire data');
}

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

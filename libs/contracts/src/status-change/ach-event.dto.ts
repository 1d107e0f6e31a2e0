import { Text } from '../rules/text.js';
import { Nested, OneOf, Truth } from '../rules/values.js';
import { isCalendarDate } from '../rules/instant.js';

/** ACH statuses (specification, "States and transitions"). */
export const ACH_STATUSES = ['INITIATED', 'PROCESSED', 'NOTICE_OF_CHANGE', 'RETURN'] as const;
export const ACH_TRANSACTION_TYPES = ['CREDIT', 'DEBIT'] as const;
export const RETURN_NOC_TYPES = ['NOC', 'Return'] as const;

/** The account of an ACH party (specification, "Party object"). */
export class AchAccountDto {
  /** Type of account. */
  @Text({ min: 1, schema: { example: 'CHECKING' } })
  accountType!: string;

  /** Account identifier. */
  @Text({ min: 1, schema: { example: '000123456789' } })
  accountId!: string;
}

/** Debtor or creditor of an ACH payment (specification, "Party object"). */
export class AchPartyDto {
  /** ACH company identifier of the party. It routes the event to consumers, so an empty one is refused. */
  @Text({ min: 1, max: 255, optional: true, schema: { example: '1234567890' } })
  achCompanyId?: string;

  /** ACH company name of the party. */
  @Text({ optional: true, schema: { example: 'ACME PAYROLL' } })
  achCompanyName?: string;

  /** Company name of the party. */
  @Text({ optional: true, schema: { example: 'Acme Corporation' } })
  name?: string;

  /** Routing number of the party's financial institution. */
  @Text({ min: 1, optional: true, schema: { example: '021000021' } })
  financialInstitution?: string;

  /** The party's account. */
  @Nested(() => AchAccountDto)
  account!: AchAccountDto;
}

/** Result of a Notification Of Change or a Return after submission (specification, "returnNOC object"). */
export class ReturnNocDto {
  /** Notification Of Change, or return. */
  @OneOf(RETURN_NOC_TYPES, { schema: { example: 'NOC' } })
  type!: (typeof RETURN_NOC_TYPES)[number];

  /** Return or NOC reason code. */
  @Text({ min: 1, schema: { example: 'C01' } })
  reasonCode!: string;

  /** Return or NOC reason description. */
  @Text({ schema: { example: 'Incorrect DFI account number' } })
  reasonDescription!: string;
}

/** `data.achEventInfo` (specification, "ACH event"); money is a string all the way. */
export class AchEventInfoDto {
  /** Unique identifier of the transaction. */
  @Text({ min: 1, max: 255, schema: { example: 'ACH-2025-000001' } })
  transactionId!: string;

  /** The new status of the payment. */
  @OneOf(ACH_STATUSES, { schema: { example: 'PROCESSED' } })
  status!: (typeof ACH_STATUSES)[number];

  /** Direction of the payment. */
  @OneOf(ACH_TRANSACTION_TYPES, { schema: { example: 'CREDIT' } })
  transactionType!: (typeof ACH_TRANSACTION_TYPES)[number];

  /** Standard Entry Class code. One that Nacha does not list is accepted and counted. */
  @Text({
    pattern: /^[A-Z]{3}$/,
    patternInWords: 'must be three capital letters',
    schema: { example: 'PPD' },
  })
  standardEntryClass!: string;

  /** Date of the transfer. */
  @Text({
    optional: true,
    pattern: /^\d{4}-\d{2}-\d{2}$/,
    patternInWords: 'must be a date as YYYY-MM-DD',
    also: (text) => (isCalendarDate(text) ? null : 'must be a day of the calendar'),
    schema: { format: 'date', example: '2025-11-20' },
  })
  transferDate?: string;

  /** Trace number of the ACH transaction; unique only within its batch. */
  @Text({ optional: true, schema: { example: '021000020000001' } })
  traceNumber?: string;

  /** True when the transaction's pre-note must be processed via EDI only. */
  @Truth({ schema: { example: false } })
  preNote!: boolean;

  /** Decimal amount as text. */
  @Text({
    pattern: /^\d+\.\d+$/,
    patternInWords: 'must be digits, a point and digits',
    schema: { example: '1250.00' },
  })
  amount!: string;

  /** The party that pays. */
  @Nested(() => AchPartyDto)
  debtor!: AchPartyDto;

  /** The party that is paid. */
  @Nested(() => AchPartyDto)
  creditor!: AchPartyDto;

  /** Only after a Notification Of Change or a return. */
  @Nested(() => ReturnNocDto, { optional: true })
  returnNOC?: ReturnNocDto;
}

/** `data` of an `ach.status`. */
export class AchDataDto {
  /** The ACH payment and its new status. */
  @Nested(() => AchEventInfoDto)
  achEventInfo!: AchEventInfoDto;
}

import { Text } from '../rules/text.js';
import { Nested, OneOf } from '../rules/values.js';

export const WIRE_ACCOUNT_TYPES = ['D', 'S'] as const;
type WireAccountType = (typeof WIRE_ACCOUNT_TYPES)[number];

/** Sent when a wire has no reference (specification, "wireInfo"). */
export const NO_REFERENCE = 'Not Provided';

/** An address (specification, "beneficiaryInfo"). Every field optional: a foreign one may have no state. */
export class WireAddressDto {
  /** Street, number and any other lines above the city. */
  @Text({ optional: true, schema: { example: '1 Main Street' } })
  addressLine?: string;

  /** City. */
  @Text({ optional: true, schema: { example: 'Springfield' } })
  city?: string;

  /** State, where there is one. */
  @Text({ optional: true, schema: { example: 'IL' } })
  state?: string;

  /** Postal code. */
  @Text({ optional: true, schema: { example: '62701' } })
  postalCode?: string;
}

/** The beneficiary's financial institution (specification, "beneficiaryInfo"); its fields are not marked required. */
export class InstitutionInfoDto {
  /** Name of the institution. */
  @Text({ optional: true, schema: { example: 'First Example Bank' } })
  name?: string;

  /** Routing number of the institution. */
  @Text({ min: 1, optional: true, schema: { example: '021000021' } })
  routingNumber?: string;

  /** Address of the institution. */
  @Nested(() => WireAddressDto, { optional: true })
  address?: WireAddressDto;
}

/** Amount and references (specification, "wireInfo"). */
export class WireInfoDto {
  /** Two decimals and a leading 0 below one dollar. */
  @Text({
    max: 12,
    pattern: /^\d+\.\d{2}$/,
    patternInWords: 'must be digits, a point and two digits; below one dollar a leading 0 is required (0.50)',
    schema: { example: '25000.00' },
  })
  paymentAmount!: string;

  /** Reference of the wire. Absent: `Not Provided` is filled in. */
  @Text({
    exact: 35,
    orText: NO_REFERENCE,
    optional: true,
    schema: { default: NO_REFERENCE, example: NO_REFERENCE },
  })
  referenceId?: string;

  /** Passed unchanged through the whole interbank chain. */
  @Text({ exact: 36, optional: true, schema: { example: '3f2c1b7e-8d4a-4c7e-9a51-0f6b2d3c4e5f' } })
  endToEndId?: string;
}

/** Who pays (specification, "originatorInfo"). */
export class OriginatorInfoDto {
  /** Account number associated with the wire company. */
  @Text({ min: 1, max: 16, schema: { example: '1234567890123456' } })
  accountNumber!: string;

  /** D (Deposit) or S (Savings). Absent: D is filled in. */
  @OneOf(WIRE_ACCOUNT_TYPES, { optional: true, schema: { default: 'D', example: 'D' } })
  accountType?: WireAccountType;

  /** Account holder name. */
  @Text({ min: 1, max: 35, schema: { example: 'Acme Corporation' } })
  name!: string;

  /** Wire company identifier of the originator. Routes the event to consumers. */
  @Text({ min: 1, max: 12, optional: true, schema: { example: 'WIRECO-001' } })
  wireCompanyId?: string;

  /** Wire company name of the originator. */
  @Text({ min: 1, max: 40, optional: true, schema: { example: 'Acme Corporation' } })
  wireCompanyName?: string;
}

/** Who is paid (specification, "beneficiaryInfo"). */
export class BeneficiaryInfoDto {
  /** Receiving party account number. */
  @Text({ min: 1, max: 34, schema: { example: 'DE89370400440532013000' } })
  accountNumber!: string;

  /** D (Deposit) or S (Savings). Absent: D is filled in. */
  @OneOf(WIRE_ACCOUNT_TYPES, { optional: true, schema: { default: 'D', example: 'D' } })
  accountType?: WireAccountType;

  /** Account holder name. */
  @Text({ min: 1, max: 35, schema: { example: 'Beispiel GmbH' } })
  name!: string;

  /** The beneficiary's address. */
  @Nested(() => WireAddressDto)
  address!: WireAddressDto;

  /** The beneficiary's bank. */
  @Nested(() => InstitutionInfoDto)
  institutionInfo!: InstitutionInfoDto;
}

/** Wire transfer payment detail (specification, "originalWire object"). */
export class OriginalWireDto {
  /** Amount and references. */
  @Nested(() => WireInfoDto)
  wireInfo!: WireInfoDto;

  /** Who pays. */
  @Nested(() => OriginatorInfoDto)
  originatorInfo!: OriginatorInfoDto;

  /** Who is paid. */
  @Nested(() => BeneficiaryInfoDto)
  beneficiaryInfo!: BeneficiaryInfoDto;

  /** What the payment is for. */
  @Text({ max: 140, optional: true, schema: { example: 'Invoice 4711' } })
  remittanceInformation?: string;
}

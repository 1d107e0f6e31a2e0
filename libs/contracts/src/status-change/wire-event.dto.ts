import { Text } from '../rules/text.js';
import { Nested, NestedList } from '../rules/values.js';
import { OriginalWireDto } from './original-wire.dto.js';
import { wireStatusFault, WIRE_STATUSES } from './wire-statuses.js';

/** An exception of a wire (specification, "exceptionInfo entry"). */
export class ExceptionInfoDto {
  /** Wire exception code. */
  @Text({ min: 1, schema: { example: 'E101' } })
  exceptionCode!: string;

  /** Wire exception description. */
  @Text({ schema: { example: 'Beneficiary account is closed' } })
  exceptionDescription!: string;
}

/** `data.wireEventInfo` (specification, "Wire event"). */
export class WireEventInfoDto {
  /** Payment key generated when the wire was created. */
  @Text({ min: 1, max: 255, optional: true, schema: { example: 'WIRE-2025-000001' } })
  paymentId?: string;

  /** One of Review, Send Ready, Reject, Error, Exception, Complete, or another that the bank uses. */
  @Text({
    optional: true,
    also: wireStatusFault,
    schema: { examples: [...WIRE_STATUSES], example: 'Complete' },
  })
  status?: string;

  /** Exceptions, in the producer's order. */
  @NestedList(() => ExceptionInfoDto, { optional: true })
  exceptionInfo?: ExceptionInfoDto[];

  /** Input Message Accountability Data. */
  @Text({ optional: true, schema: { example: '20251120MMQFMP0B000001' } })
  IMAD?: string;

  /** Output Message Accountability Data. */
  @Text({ optional: true, schema: { example: '20251120MMQFMP0B000002' } })
  OMAD?: string;

  /** Wire transfer payment detail. */
  @Nested(() => OriginalWireDto, { optional: true })
  originalWire?: OriginalWireDto;
}

/** `data` of a `wire.status`. */
export class WireDataDto {
  /** The wire payment and its new status. */
  @Nested(() => WireEventInfoDto)
  wireEventInfo!: WireEventInfoDto;
}

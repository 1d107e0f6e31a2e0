import { ConflictException } from '@nestjs/common';

/** Only the bank can send what one of its people has cancelled (contract, "Decided"): 409 with a code. */
export class CancelledByBankError extends ConflictException {
  readonly code = 'cancelled_by_bank';

  constructor() {
    super('The bank has cancelled it, and it cannot be sent from here. Ask the bank to send it again.');
  }
}

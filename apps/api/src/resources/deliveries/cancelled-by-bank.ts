import { ConflictWithFields } from '../../http/conflict.js';

/** Only the bank can send what one of its people has cancelled (contract, "Decided"): 409 with a code. */
export class CancelledByBankError extends ConflictWithFields {
  readonly fields = { code: 'cancelled_by_bank' } as const;

  constructor() {
    super('The bank has cancelled it, and it cannot be sent from here. Ask the bank to send it again.');
  }
}

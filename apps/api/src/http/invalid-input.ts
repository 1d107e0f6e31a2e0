import type { FieldFault } from '#libs/contracts';

/** Raised for a JSON body that breaks the contract: 422. */
export class InvalidContentError extends Error {
  override readonly name = 'InvalidContentError';
  constructor(readonly faults: readonly FieldFault[]) {
    super('The content breaks the contract.');
  }
}

/** Raised for an invalid query or path parameter: 400. */
export class InvalidQueryError extends Error {
  override readonly name = 'InvalidQueryError';
  constructor(readonly faults: readonly FieldFault[]) {
    super('A parameter is wrong.');
  }
}

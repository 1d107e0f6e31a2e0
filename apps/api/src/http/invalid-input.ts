import type { FieldFault } from '#libs/contracts';

/** The body is JSON, yet breaks the contract: 422. */
export class InvalidContentError extends Error {
  override readonly name = 'InvalidContentError';
  constructor(readonly faults: readonly FieldFault[]) {
    super('The content breaks the contract.');
  }
}

/** A query or path parameter is wrong: 400. */
export class InvalidQueryError extends Error {
  override readonly name = 'InvalidQueryError';
  constructor(readonly faults: readonly FieldFault[]) {
    super('A parameter is wrong.');
  }
}

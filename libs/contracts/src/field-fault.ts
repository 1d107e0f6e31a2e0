/** One broken rule: where, and which rule. The value is never repeated, since it may be an account number. */
export interface FieldFault {
  readonly field: string;
  readonly message: string;
}

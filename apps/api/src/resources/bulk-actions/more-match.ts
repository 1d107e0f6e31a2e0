import { ConflictWithFields } from '../../http/conflict.js';

/** 409, nothing was started: more deliveries match than expected, or (`matched` null) counting took too long. */
export class MoreMatchError extends ConflictWithFields {
  readonly fields: { readonly matched: number | null };

  constructor(matched: number | null, expectedCount: number) {
    const expected = `the expected ${String(expectedCount)}`;
    super(
      matched === null
        ? `The deliveries that match could not be counted within five seconds and compared with ${expected}. Nothing was started. Ask again, or narrow the filter.`
        : `Deliveries that match now: ${String(matched)}, more than ${expected}. Nothing was started. Look at the new count, and ask again with it.`,
    );
    this.fields = { matched };
  }
}

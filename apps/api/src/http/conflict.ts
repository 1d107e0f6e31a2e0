import { ConflictException } from '@nestjs/common';

/** 409 with fields of its own in the problem. */
export abstract class ConflictWithFields extends ConflictException {
  abstract readonly fields: {
    /** Matching deliveries; null: they could not be counted in time. */
    readonly matched?: number | null;
    readonly code?: 'cancelled_by_bank';
  };
}

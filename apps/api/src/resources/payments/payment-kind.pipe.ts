import { PAYMENT_KINDS, type PaymentKind } from '#libs/contracts';
import { NotFoundException, type PipeTransform } from '@nestjs/common';

/** Parses `ach` or `wire` in a path; any other kind is answered with 404. */
export const paymentKindParameter: PipeTransform<string, PaymentKind> = {
  transform(value) {
    const kind = PAYMENT_KINDS.find((known) => known === value);
    if (kind === undefined)
      throw new NotFoundException(`There is no such payment; kinds are ${PAYMENT_KINDS.join(' and ')}.`);
    return kind;
  },
};

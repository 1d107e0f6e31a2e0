import { PAYMENT_KINDS, type PaymentKind } from '#libs/contracts';
import { NotFoundException, type PipeTransform } from '@nestjs/common';

/** `ach` or `wire` in a path: there is no payment of any other kind. */
export const paymentKindParameter: PipeTransform<string, PaymentKind> = {
  transform(value) {
    const kind = PAYMENT_KINDS.find((known) => known === value);
    if (kind === undefined)
      throw new NotFoundException(`There is no such payment; kinds are ${PAYMENT_KINDS.join(' and ')}.`);
    return kind;
  },
};

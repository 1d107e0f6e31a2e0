import { textRule } from '#libs/contracts';
import { NotFoundException, type PipeTransform } from '@nestjs/common';

const faultOf = textRule({ min: 1, max: 255 });

/** Parses a payment id in a path. An impossible id is answered with 404 without a query. */
export const paymentIdParameter: PipeTransform<string, string> = {
  transform(value) {
    if (faultOf(value) !== null) throw new NotFoundException('There is no such payment.');
    return value;
  },
};

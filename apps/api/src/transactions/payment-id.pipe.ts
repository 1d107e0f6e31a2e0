import { textRule } from '#libs/contracts';
import { NotFoundException, type PipeTransform } from '@nestjs/common';

const faultOf = textRule({ min: 1, max: 255 });

/** A payment's id in a path: what no payment can be called is found nowhere, and never asked of the database. */
export const paymentIdParameter: PipeTransform<string, string> = {
  transform(value) {
    if (faultOf(value) !== null) throw new NotFoundException('There is no such payment.');
    return value;
  },
};

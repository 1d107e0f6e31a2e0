import { NotFoundException, type PipeTransform } from '@nestjs/common';
import { UUID } from './query-rules.js';

/** An id in a path: what is no UUID is the id of nothing. */
export const uuidParameter: PipeTransform<string, string> = {
  transform(value) {
    if (!UUID.test(value)) throw new NotFoundException('There is nothing with this id; ids are UUIDs.');
    return value.toLowerCase();
  },
};

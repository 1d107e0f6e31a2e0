import { UUID } from '#libs/contracts';
import { NotFoundException, type PipeTransform } from '@nestjs/common';

/** Reads an id in a path, in lower case. @throws NotFoundException when it is not a UUID */
export const uuidParameter: PipeTransform<string, string> = {
  transform(value) {
    if (!UUID.test(value)) throw new NotFoundException('There is nothing with this id; ids are UUIDs.');
    return value.toLowerCase();
  },
};

import { UUID } from '#libs/contracts';
import { NotFoundException, Param, type PipeTransform } from '@nestjs/common';

/** Injects an id in the path, in lower case. Answers 404 when it is not a UUID. */
export const Id = (name = 'id'): ParameterDecorator => Param(name, uuid);

const uuid: PipeTransform<string, string> = {
  transform(value) {
    if (!UUID.test(value)) throw new NotFoundException('There is nothing with this id; ids are UUIDs.');
    return value.toLowerCase();
  },
};

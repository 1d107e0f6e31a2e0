import { NotFoundException, type PipeTransform } from '@nestjs/common';

/** A version in a path: 1, 2, …; anything else is the version of nothing. */
export const versionParameter: PipeTransform<string, number> = {
  transform(value) {
    if (!/^[1-9]\d{0,8}$/.test(value)) {
      throw new NotFoundException('There is no such version; versions are numbered from 1.');
    }
    return Number(value);
  },
};

import { NotFoundException, type PipeTransform } from '@nestjs/common';

/** Parses a version number in a path: 1, 2, …. @throws NotFoundException for any other text */
export const versionParameter: PipeTransform<string, number> = {
  transform(value) {
    if (!/^[1-9]\d{0,8}$/.test(value)) {
      throw new NotFoundException('There is no such version; versions are numbered from 1.');
    }
    return Number(value);
  },
};

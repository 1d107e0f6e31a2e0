import { NotFoundException } from '@nestjs/common';

/** A value that was looked up. @param what the resource in words @throws NotFoundException for undefined and false */
export function found<T>(value: T | undefined | false, what: string): T {
  if (value === undefined || value === false) throw new NotFoundException(`There is no such ${what}.`);
  return value;
}

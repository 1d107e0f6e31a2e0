import { IntersectionType } from '@nestjs/swagger';
import { declare, declaredFields } from './declared.js';

/** `IntersectionType` of @nestjs/swagger, which copies schemas; this also copies the rules. */
export const Joining: typeof IntersectionType = (...from) => {
  const made = IntersectionType(...from);
  for (const each of from)
    for (const [name, field] of declaredFields(each)) declare(made.prototype, name, field);
  return made;
};

import { IntersectionType, OmitType, PickType } from '@nestjs/swagger';
import { declare, declaredFields } from './declared.js';

/** `OmitType` of @nestjs/swagger, which copies schemas; this also copies the rules. */
export const Omitting: typeof OmitType = (from, names) => {
  const made = OmitType(from, names);
  copyDeclared(from, made, (name) => !names.some((omitted) => omitted === name));
  return made;
};

/** `PickType` of @nestjs/swagger, in the same way. */
export const Picking: typeof PickType = (from, names) => {
  const made = PickType(from, names);
  copyDeclared(from, made, (name) => names.some((picked) => picked === name));
  return made;
};

/** `IntersectionType` of @nestjs/swagger, in the same way. */
export const Joining: typeof IntersectionType = (...from) => {
  const made = IntersectionType(...from);
  for (const each of from) copyDeclared(each, made);
  return made;
};

interface Class {
  readonly prototype: object;
}

function copyDeclared(from: Class, to: Class, takes: (name: string) => boolean = () => true): void {
  for (const [name, field] of declaredFields(from)) if (takes(name)) declare(to.prototype, name, field);
}

import { checkPlain } from '#libs/contracts';
import { Injectable, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { InvalidContentError, InvalidQueryError } from './invalid-input.js';

const UNTYPED: readonly unknown[] = [Object, String, Number, Boolean, Array, undefined];

/**
 * The global validation pipe: checks every body and query against the class-validator rules of its DTO and reports
 * all faults at once with the paths of the fields. It converts nothing and drops nothing silently. A missing body is
 * checked as `{}`, so that missing fields are reported. `null` is a body and is refused.
 */
@Injectable()
export class ContractValidationPipe implements PipeTransform<unknown, unknown> {
  transform(value: unknown, { metatype, type }: ArgumentMetadata): unknown {
    if (metatype === undefined || UNTYPED.includes(metatype) || (type !== 'body' && type !== 'query'))
      return value;
    const checked = checkPlain<object>(metatype, value === undefined && type === 'body' ? {} : value);
    if (checked.ok) return checked.value;
    throw type === 'body' ? new InvalidContentError(checked.faults) : new InvalidQueryError(checked.faults);
  }
}

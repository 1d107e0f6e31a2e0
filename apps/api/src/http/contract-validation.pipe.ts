import { checkPlain } from '#libs/contracts';
import { Injectable, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { InvalidContentError, InvalidQueryError } from './invalid-input.js';

const UNTYPED: readonly unknown[] = [Object, String, Number, Boolean, Array, undefined];

/**
 * The one global validation pipe: checks every body and query against its DTO's class-validator rules and
 * reports all faults at once with the fields' paths. It converts nothing and drops nothing in silence. A request without
 * a body is asked for the fields that it lacks, if any; `null` is a body, and refused.
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

import { checkPlain, checkQuery } from '#libs/contracts';
import { Injectable, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { InvalidContentError, InvalidQueryError } from './invalid-input.js';

const UNTYPED: readonly unknown[] = [Object, String, Number, Boolean, Array, undefined];

/**
 * The global validation pipe: checks every body and query against the rules of its DTO and reports
 * all faults at once with the paths of the fields. A query's texts become the types of its DTO, and instants become dates;
 * nothing is dropped silently. A missing body is checked as `{}`, so that missing fields are reported. `null` is a body and
 * is refused.
 */
@Injectable()
export class ContractValidationPipe implements PipeTransform<unknown, unknown> {
  transform(value: unknown, { metatype, type }: ArgumentMetadata): unknown {
    if (metatype === undefined || UNTYPED.includes(metatype) || (type !== 'body' && type !== 'query'))
      return value;
    if (type === 'query') {
      const query = checkQuery<object>(metatype, value ?? {});
      if (query.ok) return query.value;
      throw new InvalidQueryError(query.faults);
    }
    const body = checkPlain<object>(metatype, value === undefined ? {} : value);
    if (body.ok) return body.value;
    throw new InvalidContentError(body.faults);
  }
}

import { PROBLEM_MEDIA_TYPE, ProblemDto } from '#libs/contracts';
import { applyDecorators } from '@nestjs/common';
import { ApiResponse, getSchemaPath } from '@nestjs/swagger';

export const INVALID_CONTENT = 'The content breaks a rule; `errors` names every field.';
export const INVALID_PARAMETER = 'A parameter is wrong; `errors` names it.';
/** Lists may use few of the database's connections, for a few seconds. */
export const TOO_SLOW = 'The query took too long; narrow the filter.';

/** An error answer in the document: a problem in its own media type (RFC 9457). */
export const refusal = (description: string) => ({
  description,
  content: { [PROBLEM_MEDIA_TYPE]: { schema: { $ref: getSchemaPath(ProblemDto) } } },
});

/** Documents the error answers of an operation: what each status means here. */
export const Refuses = (descriptions: Readonly<Record<number, string>>): ClassDecorator & MethodDecorator =>
  applyDecorators(
    ...Object.entries(descriptions).map(([status, description]) =>
      ApiResponse({ status: Number(status), ...refusal(description) }),
    ),
  );

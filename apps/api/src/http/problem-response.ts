import { ProblemDto } from '#libs/contracts';
import { getSchemaPath, type ApiResponseNoStatusOptions } from '@nestjs/swagger';

/** Documents an error answer: a problem in its own media type (RFC 9457). */
export const PROBLEM_RESPONSE = (description: string): ApiResponseNoStatusOptions => ({
  description,
  content: { 'application/problem+json': { schema: { $ref: getSchemaPath(ProblemDto) } } },
});

import { ProblemDto } from '#libs/contracts';
import { getSchemaPath, type ApiResponseNoStatusOptions } from '@nestjs/swagger';

/** Documents an error answer: a problem in its own media type (RFC 9457). */
export const PROBLEM_RESPONSE = (description: string): ApiResponseNoStatusOptions => ({
  description,
  content: { 'application/problem+json': { schema: { $ref: getSchemaPath(ProblemDto) } } },
});

/** Of every list: lists look in a small part of the database's connections, and for a few seconds only. */
export const TOO_SLOW_RESPONSE = PROBLEM_RESPONSE('It took too long to find; a narrower filter finds it.');

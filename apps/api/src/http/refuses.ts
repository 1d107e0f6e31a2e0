import { PROBLEM_MEDIA_TYPE, ProblemDto } from '#libs/contracts';
import { applyDecorators } from '@nestjs/common';
import { ApiResponse, getSchemaPath } from '@nestjs/swagger';

/** OpenAPI description of an error response: a problem in its own media type (RFC 9457). */
export const refusal = (description: string) => ({
  description,
  content: { [PROBLEM_MEDIA_TYPE]: { schema: { $ref: getSchemaPath(ProblemDto) } } },
});

/**
 * Documents error responses of an operation, with the meaning of each status. Those that its parameters, its body or its
 * caller imply are documented without it (`openapi/shared-refusals.ts`, `Allow`).
 */
export const Refuses = (descriptions: Readonly<Record<number, string>>): ClassDecorator & MethodDecorator =>
  applyDecorators(
    ...Object.entries(descriptions).map(([status, description]) =>
      ApiResponse({ status: Number(status), ...refusal(description) }),
    ),
  );

import { PROBLEM_MEDIA_TYPE, ProblemDto, UUID } from '#libs/contracts';
import {
  applyDecorators,
  Controller,
  HttpCode,
  NotFoundException,
  Param,
  Post,
  type PipeTransform,
} from '@nestjs/common';
import { ApiResponse, ApiTags, getSchemaPath } from '@nestjs/swagger';

/**
 * Marks a controller: the path of its routes in version 1, and their tag in the OpenAPI document.
 *
 * The document takes the rest from each route: the summary and the description (`@remarks`) from its comment, the
 * operationId from its method's name, the answer from its return type, and from the status of `@Post`, `@Action` or
 * `@HttpCode`. A route whose return type does not show the answer has `@ApiOkResponse`.
 */
export const Routes = ({ path, tag }: { readonly path: string; readonly tag: string }): ClassDecorator =>
  applyDecorators(ApiTags(tag), Controller({ path, version: '1' }));

/** A POST that acts on what there is and answers 200. A POST that creates has `@Post` and answers 201. */
export const Action = (path?: string): MethodDecorator => applyDecorators(Post(path), HttpCode(200));

/** Injects an id in the path, in lower case. Answers 404 when it is not a UUID. */
export const Id = (name = 'id'): ParameterDecorator => Param(name, uuid);

const uuid: PipeTransform<string, string> = {
  transform(value) {
    if (!UUID.test(value)) throw new NotFoundException('There is nothing with this id; ids are UUIDs.');
    return value.toLowerCase();
  },
};

/**
 * Documents error responses of a route, with the meaning of each status. Those that its path, its query, its body or its
 * caller imply are documented without it (`openapi/shared-refusals.ts`, `Allow`).
 */
export const Refuses = (descriptions: Readonly<Record<number, string>>): ClassDecorator & MethodDecorator =>
  applyDecorators(
    ...Object.entries(descriptions).map(([status, description]) =>
      ApiResponse({ status: Number(status), ...refusal(description) }),
    ),
  );

/** OpenAPI description of an error response: a problem in its own media type (RFC 9457). */
export const refusal = (description: string) => ({
  description,
  content: { [PROBLEM_MEDIA_TYPE]: { schema: { $ref: getSchemaPath(ProblemDto) } } },
});

import { applyDecorators, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';

/**
 * Marks a controller: the path of its routes in version 1, and their tag in the OpenAPI document.
 *
 * The document takes the rest from each route: the summary and the description (`@remarks`) from its comment, the
 * operationId from its method's name, the answer from its return type, and from the status of `@Post`, `@Action` or
 * `@HttpCode`. A route whose return type does not show the answer has `@ApiOkResponse`. `@Refuses` has the refusals that
 * neither `@Allow` nor the parameters imply (`openapi/shared-refusals.ts`).
 */
export const Routes = ({ path, tag }: { readonly path: string; readonly tag: string }): ClassDecorator =>
  applyDecorators(ApiTags(tag), Controller({ path, version: '1' }));

/** A POST that acts on what there is and answers 200. A POST that creates has `@Post` and answers 201. */
export const Action = (path?: string): MethodDecorator => applyDecorators(Post(path), HttpCode(200));

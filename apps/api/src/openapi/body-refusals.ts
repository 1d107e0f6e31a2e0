import { ProblemDto } from '#libs/contracts';
import { getSchemaPath, type OpenAPIObject } from '@nestjs/swagger';

const refusal = (description: string) => ({
  description,
  content: { 'application/problem+json': { schema: { $ref: getSchemaPath(ProblemDto) } } },
});

/** What the body parser refuses, whatever the operation; an operation's own words stand. */
const REFUSALS = {
  '400': refusal('The body is no JSON.'),
  '413': refusal('The body is too large.'),
  '415': refusal('The body is not application/json.'),
};

/** Says in the document how a body is refused, for every operation that takes one. Changes it in place and returns it. */
export function tellBodyRefusals(document: OpenAPIObject): OpenAPIObject {
  for (const { post, patch, put } of Object.values(document.paths)) {
    for (const operation of [post, patch, put]) {
      if (operation?.requestBody !== undefined) operation.responses = { ...REFUSALS, ...operation.responses };
    }
  }
  return document;
}

import type { OpenAPIObject } from '@nestjs/swagger';
import { PROBLEM_RESPONSE } from '../http/problem-response.js';

/** What the body parser refuses, whatever the operation; an operation's own words stand. */
const REFUSALS = {
  '400': PROBLEM_RESPONSE('The body is no JSON.'),
  '413': PROBLEM_RESPONSE('The body is too large.'),
  '415': PROBLEM_RESPONSE('The body is not application/json.'),
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

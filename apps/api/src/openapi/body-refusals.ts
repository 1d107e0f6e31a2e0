import { refusal } from '../http/refuses.js';
import { operationsOf, type ApiDocument } from './api-document.js';

/** Refusals by the body parser, the same for all operations; an operation's own descriptions take precedence. */
const REFUSALS = {
  '400': refusal('The body is not JSON.'),
  '413': refusal('The body is too large.'),
  '415': refusal('The body is not application/json.'),
};

/** Documents the refusals of a body for every operation that has one. Changes the document in place. */
export function documentBodyRefusals(document: ApiDocument): void {
  for (const operation of operationsOf(document))
    if (operation.requestBody !== undefined)
      operation.responses = structuredClone({ ...REFUSALS, ...operation.responses });
}

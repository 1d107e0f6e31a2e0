import { refusal } from '../http/routes.js';
import type { ApiDocument, Operation } from './api-document.js';

type Refusals = Operation['responses'];

/** Refusals by the listener, and of headers about a body, which any request may have; and of too many requests. */
const OF_ANY: Refusals = {
  '413': refusal('The body is too large.'),
  '415': refusal('The body is not application/json, or it is compressed.'),
  '429': refusal(
    'Too many requests with this key or session or from this address, or too many open lists; retry as `Retry-After` says.',
  ),
  '408': refusal('The request did not arrive in time.'),
  '431': refusal('The URL and the headers are too large together.'),
};

/** Refusals by the router, which reads the parameters of a path. */
const OF_PATH: Refusals = {
  '400': refusal('The URL is not validly percent-encoded.'),
  '414': refusal('A part of the URL’s path is too long.'),
};

/** Refusals by the body parser and the validation of bodies. */
const OF_BODY: Refusals = {
  '400': refusal('The body is not JSON.'),
  '422': refusal('The content is invalid; `errors` names every invalid field.'),
};

/** Refusals by the validation of queries. */
const OF_QUERY: Refusals = {
  '400': refusal('A parameter is invalid; `errors` names it.'),
};

/** Refusals of what reads PostgreSQL, as the problem filter gives them. */
const OF_READ: Refusals = {
  '503': refusal('PostgreSQL is unreachable or busy. Send the request again after `Retry-After`.'),
  '504': refusal('The query took too long; narrow the filter.'),
};
const OF_CHANGE: Refusals = {
  '503': refusal(
    'PostgreSQL is unreachable or busy. The change may or may not have been made: check before you repeat it.',
  ),
};

/** Documents the refusals that operations share; an operation’s own descriptions take precedence. In place. */
export function documentSharedRefusals({ paths }: ApiDocument): void {
  for (const [path, methods] of Object.entries(paths))
    for (const [method, operation] of Object.entries(methods))
      operation.responses = structuredClone({
        ...OF_ANY,
        ...(path.includes('{') ? OF_PATH : {}),
        ...ofMissing(path),
        ...(operation.requestBody === undefined ? {} : OF_BODY),
        ...(operation.parameters?.some((parameter) => parameter.in === 'query') === true ? OF_QUERY : {}),
        ...(identifiesCaller(operation) ? (method === 'get' ? OF_READ : OF_CHANGE) : {}),
        ...operation.responses,
      });
}

/** The refusal of an unknown id, for a path with one id: `/v1/bulk-actions/{id}/stop` names a bulk action. */
function ofMissing(path: string): Refusals {
  const [before = '', ...after] = path.split('/{');
  if (after.length !== 1) return {};
  const plural = before.slice(before.lastIndexOf('/') + 1).replaceAll('-', ' ');
  const resource = plural.replace(/ies$/, 'y').replace(/s$/, '');
  return { '404': refusal(`There is no such ${resource}.`) };
}

/** Keys, links and sessions are looked up in PostgreSQL, so what can answer 401 can find it unreachable. */
const identifiesCaller = ({ responses }: Operation): boolean => '401' in responses;

import createOpenApiClient, { type Client } from 'openapi-fetch';
import type { paths } from './openapi.js';

/** A client with every operation of the OpenAPI document; the compiler checks paths, parameters, bodies and answers. */
export type DispatcherClient = Client<paths>;

export interface DispatcherClientOptions {
  /** The api's URL, e.g. `https://dispatcher.bank.example`; empty in a page that the api itself serves. */
  readonly baseUrl: string;
  /** An API key; the console sets none, since the browser sends its session cookie. */
  readonly apiKey?: string;
  /** Replaces the platform's `fetch`, e.g. by one that uses a proxy. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

/**
 * Creates a client for the dispatcher's API. A call resolves to `{ data, error, response }`, also for an error status:
 * `error` is then the problem (RFC 9457). It rejects when no answer arrives.
 */
export function createClient({ baseUrl, apiKey, fetch }: DispatcherClientOptions): DispatcherClient {
  return createOpenApiClient<paths>({
    baseUrl,
    ...(fetch === undefined ? {} : { fetch }),
    ...(apiKey === undefined ? {} : { headers: { authorization: `Bearer ${apiKey}` } }),
  });
}

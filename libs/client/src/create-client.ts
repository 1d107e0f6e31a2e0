import createOpenApiClient, { type Client } from 'openapi-fetch';
import type { paths } from './openapi.d.ts';

/** Every call of the interface, checked by the compiler against the document it was generated from. */
export type DispatcherClient = Client<paths>;

export interface DispatcherClientOptions {
  /** Where the api listens, e.g. `https://dispatcher.bank.example`; empty in a page that the api itself serves. */
  readonly baseUrl: string;
  /** Left out by the console, whose browser sends its session. */
  readonly apiKey?: string;
  /** Another `fetch` than the platform's, e.g. one that goes through a proxy. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

/**
 * A client for the dispatcher's interface. A call answers `{ data, error, response }` and does not throw for an error
 * status: `error` is then the problem (RFC 9457). It rejects when no answer came.
 */
export function createClient({ baseUrl, apiKey, fetch }: DispatcherClientOptions): DispatcherClient {
  return createOpenApiClient<paths>({
    baseUrl,
    ...(fetch === undefined ? {} : { fetch }),
    ...(apiKey === undefined ? {} : { headers: { authorization: `Bearer ${apiKey}` } }),
  });
}

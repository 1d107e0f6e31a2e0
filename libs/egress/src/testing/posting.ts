import type { EgressRequest } from '../exchange.js';

/** A request as most tests make it; generous with time, so that a slow machine changes no outcome. */
export function posting(url: string, over: Partial<EgressRequest> = {}): EgressRequest {
  return {
    url,
    buildHeaders: () => ({ 'content-type': 'application/json' }),
    body: '{"a":1}',
    timeoutMs: 10_000,
    ...over,
  };
}

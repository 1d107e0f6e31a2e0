import type { EgressRequest } from '../exchange.js';

/** A typical request, with a timeout that is long enough for a slow machine. */
export function posting(url: string, over: Partial<EgressRequest> = {}): EgressRequest {
  return {
    url,
    buildHeaders: () => ({ 'content-type': 'application/json' }),
    body: '{"a":1}',
    timeoutMs: 10_000,
    ...over,
  };
}

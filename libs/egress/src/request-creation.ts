import { subscribe, unsubscribe } from 'node:diagnostics_channel';

/** undici publishes each request here, synchronously, when `dispatch` makes it: documented for adding headers. */
const CREATED = 'undici:request:create';

/** A request of the HTTP client. Headers can be added until it is written. */
export interface ClientRequest {
  /** @throws an error of the client for a name or value that HTTP does not allow */
  addHeader(name: string, value: string): unknown;
}

/**
 * Hands the client's request object to the code that dispatches it: `dispatch` takes all headers before there is a
 * connection, and only this object takes more when there is one.
 */
export class RequestCreation {
  #onCreated: ((request: ClientRequest) => void) | null = null;
  // Also called for other clients of this process, such as `fetch`, but never during `dispatch` here.
  readonly #listener = (message: unknown): void => {
    if (this.#onCreated !== null && hasRequest(message)) this.#onCreated(message.request);
  };

  constructor() {
    subscribe(CREATED, this.#listener);
  }

  /** @param dispatch makes one request before it returns, which is given to `onCreated` */
  during(dispatch: () => unknown, onCreated: (request: ClientRequest) => void): void {
    this.#onCreated = onCreated;
    try {
      dispatch();
    } finally {
      this.#onCreated = null;
    }
  }

  end(): void {
    unsubscribe(CREATED, this.#listener);
  }
}

function hasRequest(message: unknown): message is { readonly request: ClientRequest } {
  if (typeof message !== 'object' || message === null || !('request' in message)) return false;
  const { request } = message;
  return (
    typeof request === 'object' &&
    request !== null &&
    'addHeader' in request &&
    typeof request.addHeader === 'function'
  );
}

import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Socket } from 'node:net';

/** undici publishes each request here, synchronously, when `dispatch` makes it: documented for adding headers. */
const CREATED = 'undici:request:create';
/** undici publishes the request and its socket here when it writes the request. */
const WRITTEN = 'undici:client:sendHeaders';

/** A request of the HTTP client. Headers can be added until it is written. */
export interface ClientRequest {
  /** @throws an error of the client for a name or value that HTTP does not allow */
  addHeader(name: string, value: string): unknown;
}

/** Is given what the client publishes about one request. */
export interface RequestObserver {
  onCreated(request: ClientRequest): void;
  /** @param address of the server, or of the proxy that the connection goes through */
  onWritten(address: string | null): void;
}

/**
 * Hands the client's request object to the code that dispatches it: `dispatch` takes all headers before there is a
 * connection, and only this object takes more when there is one. Also hands over the address that it was written to.
 */
export class RequestCreation {
  #observer: RequestObserver | null = null;
  readonly #observers = new WeakMap<ClientRequest, RequestObserver>();
  // Both are also called for other clients of this process, such as `fetch`; the first never during `dispatch` here.
  readonly #created = (message: unknown): void => {
    if (this.#observer === null || !hasRequest(message)) return;
    this.#observers.set(message.request, this.#observer);
    this.#observer.onCreated(message.request);
  };
  readonly #written = (message: unknown): void => {
    if (hasRequest(message)) this.#observers.get(message.request)?.onWritten(addressOf(message));
  };

  constructor() {
    subscribe(CREATED, this.#created);
    subscribe(WRITTEN, this.#written);
  }

  /** @param dispatch makes one request before it returns, which is given to `observer` */
  during(dispatch: () => unknown, observer: RequestObserver): void {
    this.#observer = observer;
    try {
      dispatch();
    } finally {
      this.#observer = null;
    }
  }

  end(): void {
    unsubscribe(CREATED, this.#created);
    unsubscribe(WRITTEN, this.#written);
  }
}

const addressOf = (message: object): string | null =>
  'socket' in message && message.socket instanceof Socket ? (message.socket.remoteAddress ?? null) : null;

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

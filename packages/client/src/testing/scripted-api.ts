import type { StatusChange } from '../pending-event.js';

/** What the api, or the way to it, does with one request. */
export type Reply =
  /** Accepts and answers. */
  | { readonly kind: 'accept' }
  /** Accepts, and the answer is lost. */
  | { readonly kind: 'lose' }
  /** No connection. */
  | { readonly kind: 'refuse-connection' }
  /** Answers only when the client ends the request. */
  | { readonly kind: 'hang' }
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: object | string;
    };

interface Item {
  readonly idempotencyKey: string;
  readonly consumers?: readonly string[];
}

/** An event that its batch is refused for: `poison` in `consumers`. A rejected one has `rejected` there. */
export const event = (kind: 'ordinary' | 'rejected' | 'poison' = 'ordinary'): StatusChange => ({
  eventType: 'wire.status',
  eventDateTime: '2025-11-20T09:30:00Z',
  data: { wireEventInfo: { paymentId: 'W-1', status: 'Review' } },
  ...(kind === 'ordinary' ? {} : { consumers: [kind] }),
});

export const problem = (status: number) => ({
  type: 'about:blank',
  title: 'A problem',
  status,
  detail: 'The reason.',
  requestId: '6c8f1ddc-7290-4aed-8701-03340f05610b',
});

/**
 * In place of `fetch`: replies to requests as the script says, then accepts. It accepts as the api does: in the order of
 * the batch, each idempotency key once.
 */
export class ScriptedApi {
  /** The keys of the accepted events, in the order of acceptance. */
  readonly accepted: string[] = [];
  /** The keys of each request. */
  readonly requests: string[][] = [];
  readonly bodies: string[] = [];
  /** The most requests that were open at one time. */
  mostAtOnce = 0;
  private open = 0;

  constructor(private readonly script: Reply[] = []) {}

  readonly fetch = async (request: Request): Promise<Response> => {
    this.open += 1;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.open);
    try {
      const body = await request.text();
      const { events }: { events: Item[] } = JSON.parse(body);
      this.bodies.push(body);
      this.requests.push(events.map(({ idempotencyKey }) => idempotencyKey));
      return await this.reply(this.script.shift() ?? { kind: 'accept' }, events, request.signal);
    } finally {
      this.open -= 1;
    }
  };

  private async reply(reply: Reply, events: readonly Item[], signal: AbortSignal): Promise<Response> {
    switch (reply.kind) {
      case 'accept':
        return this.accept(events);
      case 'lose':
        this.accept(events);
        throw new TypeError('fetch failed');
      case 'refuse-connection':
        throw new TypeError('fetch failed');
      case 'hang':
        return new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(new Error('aborted'))),
        );
      case 'status': {
        const { status, headers = {}, body = problem(status) } = reply;
        return new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers });
      }
    }
  }

  private accept(events: readonly Item[]): Response {
    if (events.some(({ consumers }) => consumers?.includes('poison')))
      return Response.json(problem(400), { status: 400 });
    const results = events.map(({ idempotencyKey, consumers }, index) => {
      if (consumers?.includes('rejected') === true)
        return { index, status: 'rejected', errors: [{ field: idempotencyKey, message: 'is rejected' }] };
      const duplicate = this.accepted.includes(idempotencyKey);
      if (!duplicate) this.accepted.push(idempotencyKey);
      return { index, status: 'accepted', notificationId: `id-of-${idempotencyKey}`, duplicate };
    });
    return Response.json({ results }, { status: 202 });
  }
}

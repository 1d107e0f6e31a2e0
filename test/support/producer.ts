import type { AcceptedDto } from '#libs/contracts';
import type { ApiClient } from '#test/support/api-client';
import { waitUntil } from '#test/support/wait-until';

/** What a producer was told instead of 202. */
export interface Refusal {
  status: number;
  retryAfter: string | null;
  contentType: string | null;
}

const ACCEPTED_WITHIN_MS = 60_000;

/**
 * A payment hub's sender: posts one status change after the other and, as the contract tells it to, repeats the very
 * same request until it is answered with 202.
 */
export class Producer {
  readonly accepted: AcceptedDto[] = [];
  readonly refusals: Refusal[] = [];

  constructor(private readonly client: ApiClient) {}

  /** Posts what `next` makes until the signal, and finishes the one it is at. */
  async post(next: () => object, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) this.accepted.push(await this.postOne(next()));
  }

  private postOne(change: object): Promise<AcceptedDto> {
    return waitUntil(
      async () => {
        const { status, headers, body } = await this.client.call<AcceptedDto>('POST', '/v1/events', change);
        if (status === 202) return body;
        this.refusals.push({
          status,
          retryAfter: headers.get('retry-after'),
          contentType: headers.get('content-type'),
        });
        return undefined;
      },
      { deadlineMs: ACCEPTED_WITHIN_MS, what: 'a status change to be accepted', everyMs: 100 },
    );
  }
}

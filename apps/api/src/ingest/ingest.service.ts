import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  BatchItemDto,
  checkPlain,
  instantOf,
  type AcceptedDto,
  type BatchDto,
  type BatchResultDto,
  type FieldFault,
  type StatusChangeDto,
} from '#libs/contracts';
import { isRefusal } from '#libs/database';
import { ConflictException, Inject, Injectable, ServiceUnavailableException } from '@nestjs/common';
import { InvalidContentError, InvalidQueryError } from '../http/invalid-input.js';
import type { AcceptRequest } from './change.js';
import { AcceptService } from './accept.service.js';
import type { Acceptance } from './acceptance.js';

type BatchResult = BatchResultDto['results'][number];
/** The producer of a request, and the request's trace. */
type Sender = Pick<AcceptRequest, 'producer' | 'traceparent'>;
type Decided = Exclude<Acceptance, { readonly kind: 'busy' }>;

/** Checking batches holds the event loop for this long at a time, so that other requests are answered meanwhile. */
const TURN_MS = 10;
/** A batch of at most so many events is checked at once. */
const SMALL_BATCH = 20;

const BUSY =
  'Too many concurrent changes. Send the same request again: events that were accepted are recognised.';
const CONFLICT = 'The idempotency key was used before, with other content.';
/** For faults that only PostgreSQL finds. Its own message can contain a value, so it is not passed on. */
const REFUSED_BY_DATABASE: FieldFault = { field: 'body', message: 'cannot be stored' };

/** Passes checked requests to accept, and converts the results to answers. */
@Injectable()
export class IngestService {
  private lastTurn: Promise<void> = Promise.resolve();

  constructor(@Inject(AcceptService) private readonly accept: Pick<AcceptService, 'accept'>) {}

  async one(change: StatusChangeDto, from: Sender, key: string | undefined): Promise<AcceptedDto> {
    if (key !== undefined && !isIdempotencyKey(key)) {
      throw new InvalidQueryError([
        { field: 'Idempotency-Key', message: 'must be 1 to 255 printable characters' },
      ]);
    }
    const acceptance = await this.decided({ ...from, idempotencyKey: key, change });
    switch (acceptance.kind) {
      case 'conflict':
        throw new ConflictException(CONFLICT);
      case 'refused':
        throw new InvalidContentError(acceptance.faults);
      case 'accepted':
        return {
          notificationId: acceptance.notificationId,
          eventType: change.eventType,
          eventDateTime: instantOf(change.eventDateTime).toISOString(),
          duplicate: acceptance.duplicate,
          deliveries: [...acceptance.deliveries],
        };
    }
  }

  /** Items are accepted in their order, so that statuses of one payment are numbered by their index. */
  async batch(batch: BatchDto, from: Sender): Promise<BatchResultDto> {
    const results: Promise<BatchResult>[] = [];
    if (batch.events.length > SMALL_BATCH) await this.nextTurn();
    let sinceMs = performance.now();
    for (const [index, raw] of batch.events.entries()) {
      const result = this.batchItem(raw, index, from);
      // It is awaited only when all items have been passed on.
      result.catch(() => undefined);
      results.push(result);
      if (performance.now() - sinceMs < TURN_MS) continue;
      await this.nextTurn();
      sinceMs = performance.now();
    }
    return { results: await Promise.all(results) };
  }

  /** Waits for a turn of the event loop that no other batch has: together they would hold it N times as long. */
  private nextTurn(): Promise<void> {
    this.lastTurn = this.lastTurn.then(() => nextTurn());
    return this.lastTurn;
  }

  private async batchItem(raw: unknown, index: number, from: Sender): Promise<BatchResult> {
    const checked = checkPlain(BatchItemDto, raw);
    if (!checked.ok) return { index, status: 'rejected', errors: checked.faults };
    const { idempotencyKey, ...change } = checked.value;
    return resultOf(index, await this.decided({ ...from, idempotencyKey, change }));
  }

  /** @throws ServiceUnavailableException when the request can be repeated; a batch then fails as a whole */
  private async decided(request: AcceptRequest): Promise<Decided> {
    const acceptance = await this.accept.accept(request).catch((error: unknown): Acceptance => {
      if (isRefusal(error)) return { kind: 'refused', faults: [REFUSED_BY_DATABASE] };
      throw error;
    });
    if (acceptance.kind === 'busy') throw new ServiceUnavailableException(BUSY);
    return acceptance;
  }
}

function resultOf(index: number, acceptance: Decided): BatchResult {
  switch (acceptance.kind) {
    case 'conflict':
      return { index, status: 'rejected', errors: [{ field: 'idempotencyKey', message: CONFLICT }] };
    case 'refused':
      return { index, status: 'rejected', errors: [...acceptance.faults] };
    case 'accepted':
      return {
        index,
        status: 'accepted',
        notificationId: acceptance.notificationId,
        duplicate: acceptance.duplicate,
      };
  }
}

const isIdempotencyKey = (key: string): boolean => /^[\x20-\x7e\x80-\xff]{1,255}$/.test(key);

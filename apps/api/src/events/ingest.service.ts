import {
  BatchItemDto,
  checkPlain,
  type AcceptedDto,
  type BatchDto,
  type BatchResultDto,
  type FieldFault,
  type StatusChangeDto,
} from '#libs/contracts';
import { isRefusal } from '#libs/database';
import { AcceptService, type Acceptance, type AcceptRequest } from '#libs/dispatch';
import { ConflictException, Injectable } from '@nestjs/common';
import { InvalidContentError, InvalidQueryError } from '../http/invalid-input.js';

type BatchResult = BatchResultDto['results'][number];

const CONFLICT = 'The idempotency key was used before, with other content.';
/** What only PostgreSQL could find wrong; its own words might repeat a value, so they are not passed on. */
const REFUSED_BY_DATABASE: FieldFault = { field: 'body', message: 'cannot be stored' };

/** Turns checked requests into accepted ones and acceptances into answers. */
@Injectable()
export class IngestService {
  constructor(private readonly accept: AcceptService) {}

  async one(change: StatusChangeDto, producer: string, key: string | undefined): Promise<AcceptedDto> {
    if (key !== undefined && !isIdempotencyKey(key)) {
      throw new InvalidQueryError([
        { field: 'Idempotency-Key', message: 'must be 1 to 255 printable characters' },
      ]);
    }
    const acceptance = await this.settle({ producer, idempotencyKey: key, change });
    switch (acceptance.kind) {
      case 'conflict':
        throw new ConflictException(CONFLICT);
      case 'refused':
        throw new InvalidContentError(acceptance.faults);
      case 'accepted':
        return {
          notificationId: acceptance.notificationId,
          eventType: change.eventType,
          eventDateTime: new Date(change.eventDateTime).toISOString(),
          duplicate: acceptance.duplicate,
          deliveries: [...acceptance.deliveries],
        };
    }
  }

  /** Items enter the same queue in their order, so that statuses of one payment are numbered by their index. */
  async batch(batch: BatchDto, producer: string): Promise<BatchResultDto> {
    const results = batch.events.map(async (raw, index): Promise<BatchResult> => {
      const checked = checkPlain(BatchItemDto, raw);
      if (!checked.ok) return { index, status: 'rejected', errors: checked.faults };
      const { idempotencyKey, ...change } = checked.value;
      return resultOf(index, await this.settle({ producer, idempotencyKey, change }));
    });
    return { results: await Promise.all(results) };
  }

  private async settle(request: AcceptRequest): Promise<Acceptance> {
    return this.accept.accept(request).catch((error: unknown): Acceptance => {
      if (isRefusal(error)) return { kind: 'refused', faults: [REFUSED_BY_DATABASE] };
      throw error;
    });
  }
}

function resultOf(index: number, acceptance: Acceptance): BatchResult {
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

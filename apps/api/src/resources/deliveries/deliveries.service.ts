import { pageOf, paginated } from '#libs/contracts';
import {
  DeliveriesRepository,
  EventsRepository,
  OwnDeliveriesRepository,
  type AttemptRow,
  type DeliveryRow,
} from '#libs/database';
import { adviceFor, adviceForConsumer } from '#libs/policy';
import { Injectable, NotFoundException, type StreamableFile } from '@nestjs/common';
import { mayActAs, type Caller } from '../../access/caller.js';
import { isWithin, scopeOf, type Scope } from '../../access/scope.js';
import { streamedAnswer } from '../../http/streamed-answer.js';
import type { DeliveriesQueryDto } from './deliveries-query.dto.js';
import { deliveryViewFor } from './delivery-view.js';
import type { AttemptDto, DeliveryDetailDto, DeliveryDto, DeliveryListDto } from './delivery.dto.js';

/** Reads deliveries: all of them, or those of a scope. */
@Injectable()
export class DeliveriesService {
  constructor(
    private readonly deliveries: DeliveriesRepository,
    private readonly own: OwnDeliveriesRepository,
    private readonly events: EventsRepository,
  ) {}

  async list(query: DeliveriesQueryDto, scope: Scope): Promise<DeliveryListDto> {
    const page = pageOf(query);
    const isEmpty = query.consumerId !== undefined && !isWithin(scope, query.consumerId);
    const { consumerId } = scope;
    const from = consumerId === undefined ? this.deliveries : this.own;
    const rows = isEmpty ? [] : await from.list({ ...query, ...scope }, page);
    return paginated('deliveries', rows.map(deliveryViewFor(scope)), page);
  }

  /** A delivery without its attempts. @throws NotFoundException, also for one outside the scope */
  async summary(id: string, scope: Scope): Promise<DeliveryDto> {
    return deliveryViewFor(scope)(await this.find(id, scope));
  }

  /** @returns a streamed `DeliveryDetailDto` @throws NotFoundException, also for one outside the scope */
  async read(id: string, caller: Caller): Promise<StreamableFile> {
    const scope = scopeOf(caller);
    const row = await this.find(id, scope);
    const before: Omit<DeliveryDetailDto, 'attempts'> = {
      ...deliveryViewFor(scope)(row),
      ...(scope.consumerId === undefined ? {} : { envelope: await this.envelopeOf(row) }),
    };
    return streamedAnswer({ before, name: 'attempts', records: this.attempts(row, caller) });
  }

  private async find(id: string, scope: Scope): Promise<DeliveryRow> {
    const row = await this.deliveries.find(id);
    if (row === undefined || !isWithin(scope, row.consumer_id))
      throw new NotFoundException('There is no such delivery.');
    return row;
  }

  private async envelopeOf({ event_id: id }: DeliveryRow): Promise<Record<string, unknown> | null> {
    const event = await this.events.find(id);
    if (event === undefined) return null;
    const envelope: Record<string, unknown> = JSON.parse(event.body);
    return envelope;
  }

  private async *attempts(row: DeliveryRow, caller: Caller): AsyncGenerator<string[]> {
    for await (const rows of this.deliveries.attempts(row))
      yield rows.map((attempt) => JSON.stringify(attemptView(attempt, caller)));
  }
}

/**
 * A consumer may repeat account numbers in its response, in any encoding, and no mask can find all of them. Viewers
 * therefore see only the status of the response and the dispatcher's description of the outcome. The consumer's own
 * people see their response in full; the detail can name addresses of the bank, and is only for its people.
 */
function attemptView(row: AttemptRow, caller: Caller): AttemptDto {
  const isOwn = caller.consumerId !== null;
  const inFull = isOwn || mayActAs(caller, ['oncall']);
  const clockSkewMs = row.clock_skew_ms === null ? null : Number(row.clock_skew_ms);
  const { outcome, http_status: httpStatus, detail } = row;
  const answer = inFull ? row.response_body : null;
  const cause = { outcome, httpStatus, detail, clockSkewMs };
  return {
    number: row.number,
    startedAt: row.started_at.toISOString(),
    durationMs: row.duration_ms,
    outcome,
    httpStatus,
    detail: isOwn ? null : detail,
    advice: isOwn ? adviceForConsumer(cause) : adviceFor({ ...cause, answer }),
    url: row.url,
    remoteAddress: isOwn ? null : row.remote_address,
    credentialVersion: row.credential_version,
    requestHeaders: row.request_headers,
    responseHeaders: inFull ? row.response_headers : null,
    responseBody: answer,
    responseTruncated: row.response_truncated,
    responseWithheld: !inFull,
    probe: row.probe,
    clockSkewMs,
  };
}

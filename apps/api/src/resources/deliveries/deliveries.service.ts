import { pageOf, paginated } from '#libs/contracts';
import { DeliveriesRepository, type AttemptRow, type DeliveryRow } from '#libs/database';
import { adviceFor } from '#libs/policy';
import { Injectable, NotFoundException, type StreamableFile } from '@nestjs/common';
import { mayActAs, type Caller } from '../../access/caller.js';
import { streamedAnswer } from '../../http/streamed-answer.js';
import type { DeliveriesQueryDto } from './deliveries-query.dto.js';
import { deliveryView } from './delivery-view.js';
import type { AttemptDto, DeliveryDto, DeliveryListDto } from './delivery.dto.js';

@Injectable()
export class DeliveriesService {
  constructor(private readonly deliveries: DeliveriesRepository) {}

  async list(query: DeliveriesQueryDto): Promise<DeliveryListDto> {
    const page = pageOf(query);
    const rows = await this.deliveries.list(query, page);
    return paginated('deliveries', rows.map(deliveryView), page);
  }

  /** A delivery without its attempts. */
  async summary(id: string): Promise<DeliveryDto> {
    const row = await this.deliveries.find(id);
    if (row === undefined) throw new NotFoundException('There is no such delivery.');
    return deliveryView(row);
  }

  /** @returns a streamed `DeliveryDetailDto` */
  async read(id: string, caller: Caller): Promise<StreamableFile> {
    const row = await this.deliveries.find(id);
    if (row === undefined) throw new NotFoundException('There is no such delivery.');
    const records = this.attempts(row, caller);
    return streamedAnswer({ before: deliveryView(row), name: 'attempts', records });
  }

  private async *attempts(row: DeliveryRow, caller: Caller): AsyncGenerator<string[]> {
    for await (const rows of this.deliveries.attempts(row))
      yield rows.map((attempt) => JSON.stringify(attemptView(attempt, caller)));
  }
}

/**
 * A consumer may repeat account numbers in its response, in any encoding, and no mask can find all of them. Viewers
 * therefore see only the status of the response and the dispatcher's description of the outcome.
 */
function attemptView(row: AttemptRow, caller: Caller): AttemptDto {
  const inFull = mayActAs(caller, ['oncall']);
  const clockSkewMs = row.clock_skew_ms === null ? null : Number(row.clock_skew_ms);
  const { outcome, http_status: httpStatus, detail } = row;
  const answer = inFull ? row.response_body : null;
  return {
    number: row.number,
    startedAt: row.started_at.toISOString(),
    durationMs: row.duration_ms,
    outcome,
    httpStatus,
    detail,
    advice: adviceFor({ outcome, httpStatus, detail, clockSkewMs, answer }),
    url: row.url,
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

import {
  ConsumersReadingDatabase,
  ConsumersRepository,
  failuresByCause,
  ReadingDatabase,
} from '#libs/database';
import { adviceFor, adviceForConsumer } from '#libs/policy';
import { Injectable } from '@nestjs/common';
import { mayActAs, type Caller } from '../../../access/caller.js';
import type { FailureListDto, FailuresQueryDto } from './failures.dto.js';
import { found } from '../../../http/found.js';

/** Enough to distinguish the causes; reading more would take too long. */
const MOST_ATTEMPTS = 5_000;
const DAY_MS = 86_400_000;

/** Recent failures of a consumer's deliveries, grouped by cause. */
@Injectable()
export class FailuresService {
  constructor(
    private readonly reading: ReadingDatabase,
    private readonly ownReading: ConsumersReadingDatabase,
    private readonly consumers: ConsumersRepository,
  ) {}

  /**
   * The failures of a query's period, by default the last day. The advice for viewers does not quote responses: a
   * consumer may repeat what it was sent. The detail can name addresses of the bank, and is only for its people.
   */
  async list(id: string, query: FailuresQueryDto, caller: Caller): Promise<FailureListDto> {
    const { to = new Date(), from = new Date(to.getTime() - DAY_MS) } = query;
    const isOwn = caller.consumerId !== null;
    const inFull = mayActAs(caller, ['oncall']);
    found(await this.consumers.find(id), 'consumer');
    const groups = await failuresByCause(isOwn ? this.ownReading : this.reading, {
      consumerId: id,
      from,
      to,
      most: MOST_ATTEMPTS,
    });
    const attemptsSeen = groups.reduce((sum, { count }) => sum + count, 0);
    return {
      from: from.toISOString(),
      to: to.toISOString(),
      attemptsSeen,
      attemptsAreCapped: attemptsSeen === MOST_ATTEMPTS,
      failures: groups.map(({ clockSkewMs, firstAt, lastAt, lastAnswer, lastDetail, ...group }) => {
        const cause = { ...group, detail: lastDetail, clockSkewMs };
        return {
          ...group,
          firstAt: firstAt.toISOString(),
          lastAt: lastAt.toISOString(),
          lastDetail: isOwn ? null : lastDetail,
          advice: isOwn
            ? adviceForConsumer(cause)
            : adviceFor({ ...cause, answer: inFull ? lastAnswer : null }),
        };
      }),
    };
  }
}

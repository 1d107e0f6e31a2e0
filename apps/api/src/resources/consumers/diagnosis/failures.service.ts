import { ConsumersRepository, failuresByCause, ReadingDatabase } from '#libs/database';
import { adviceFor } from '#libs/policy';
import { Injectable, NotFoundException } from '@nestjs/common';
import { mayActAs, type Caller } from '../../../access/caller.js';
import type { FailureListDto, FailuresQueryDto } from './failures.dto.js';

/** Enough to distinguish the causes; reading more would take too long. */
const MOST_ATTEMPTS = 5_000;
const DAY_MS = 86_400_000;

/** Recent failures of a consumer's deliveries, grouped by cause. */
@Injectable()
export class FailuresService {
  constructor(
    private readonly reading: ReadingDatabase,
    private readonly consumers: ConsumersRepository,
  ) {}

  /** The advice for viewers does not quote responses: a consumer may repeat what it was sent. */
  async list(id: string, query: FailuresQueryDto, caller: Caller): Promise<FailureListDto> {
    const inFull = mayActAs(caller, ['oncall']);
    const { to = new Date(), from = new Date(to.getTime() - DAY_MS) } = query;
    if ((await this.consumers.find(id)) === undefined) {
      throw new NotFoundException('There is no such consumer.');
    }
    const groups = await failuresByCause(this.reading, { consumerId: id, from, to, most: MOST_ATTEMPTS });
    const attemptsSeen = groups.reduce((sum, group) => sum + group.count, 0);
    return {
      from: from.toISOString(),
      to: to.toISOString(),
      attemptsSeen,
      attemptsAreCapped: attemptsSeen === MOST_ATTEMPTS,
      failures: groups.map(({ clockSkewMs, firstAt, lastAt, lastAnswer, ...group }) => ({
        ...group,
        firstAt: firstAt.toISOString(),
        lastAt: lastAt.toISOString(),
        advice: adviceFor({
          ...group,
          detail: group.lastDetail,
          clockSkewMs,
          answer: inFull ? lastAnswer : null,
        }),
      })),
    };
  }
}

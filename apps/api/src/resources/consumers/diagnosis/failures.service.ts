import { ConsumersRepository, failuresByCause, ReadingDatabase } from '#libs/database';
import { adviceFor } from '#libs/policy';
import { Injectable, NotFoundException } from '@nestjs/common';
import { mayActAs, type Caller } from '../../../access/caller.js';
import type { FailureListDto, FailuresQueryDto } from './failures.dto.js';

/** Enough to distinguish the causes; reading more would take too long. */
const MOST_ATTEMPTS = 5_000;
const DAY_MS = 86_400_000;

/** What a list of failures says beside its groups. */
type Period = Pick<FailureListDto, 'from' | 'to' | 'attemptsSeen' | 'attemptsAreCapped'>;

/** Reads the failures of a query's period, by default the last day. @param read reads them grouped by cause */
export async function failuresOf<Group extends { readonly count: number }>(
  { to = new Date(), from = new Date(to.getTime() - DAY_MS) }: FailuresQueryDto,
  read: (of: { readonly from: Date; readonly to: Date; readonly most: number }) => Promise<Group[]>,
): Promise<{ readonly period: Period; readonly groups: Group[] }> {
  const groups = await read({ from, to, most: MOST_ATTEMPTS });
  const attemptsSeen = groups.reduce((sum, { count }) => sum + count, 0);
  const period = {
    from: from.toISOString(),
    to: to.toISOString(),
    attemptsSeen,
    attemptsAreCapped: attemptsSeen === MOST_ATTEMPTS,
  };
  return { period, groups };
}

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
    if ((await this.consumers.find(id)) === undefined) {
      throw new NotFoundException('There is no such consumer.');
    }
    const { period, groups } = await failuresOf(query, (of) =>
      failuresByCause(this.reading, { consumerId: id, ...of }),
    );
    return {
      ...period,
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

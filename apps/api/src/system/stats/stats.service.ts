import { ConsumersReadingDatabase, StatisticsRepository, type StepRow } from '#libs/database';
import { percentileOf } from '#libs/policy';
import { Injectable } from '@nestjs/common';
import { isWithin, type Scope } from '../../access/scope.js';
import { stepsOf } from './stats-step.js';
import type { StatsQueryDto } from './stats-query.dto.js';
import type { StatsDto, StatsPointDto } from './stats.dto.js';

const HOUR_MS = 3_600_000;

@Injectable()
export class StatsService {
  constructor(
    private readonly statistics: StatisticsRepository,
    private readonly ownReading: ConsumersReadingDatabase,
  ) {}

  async read(query: StatsQueryDto, scope: Scope): Promise<StatsDto> {
    const { to: until = new Date(), from: since = new Date(until.getTime() - HOUR_MS) } = query;
    const { from, to, stepSeconds, count } = stepsOf(since, until);
    const isEmpty = query.consumerId !== undefined && !isWithin(scope, query.consumerId);
    const of = query.consumerId ?? scope.consumerId;
    const range = { ...(of === undefined ? {} : { consumerId: of }), from, to, stepSeconds };
    const rows = isEmpty
      ? []
      : await this.statistics.steps(range, scope.consumerId === undefined ? undefined : this.ownReading);
    const counted = new Map(rows.map((row) => [row.step, row]));
    const points = Array.from({ length: count }, (_, step) =>
      pointOf(new Date(from.getTime() + step * stepSeconds * 1_000), counted.get(step)),
    );
    return { from: from.toISOString(), to: to.toISOString(), stepSeconds, points };
  }
}

const pointOf = (at: Date, row: StepRow | undefined): StatsPointDto => ({
  at: at.toISOString(),
  accepted: row?.accepted ?? 0,
  delivered: row?.delivered ?? 0,
  dead: row?.dead ?? 0,
  attempts: row?.attempts ?? 0,
  failedAttempts: row?.failed_attempts ?? 0,
  latencyP50Ms: percentileOf(row?.latency ?? [], 0.5),
  latencyP95Ms: percentileOf(row?.latency ?? [], 0.95),
});

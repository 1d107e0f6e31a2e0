import { HEALTH_STATES, type HealthState } from '#libs/contracts';
import type { JudgedConsumer } from '#libs/database';
import { backlogTrend, isStreak, needsAttention, worstFirst } from '#libs/policy';
import { consumerHealthView } from '../../resources/consumers/health/consumer-health.dto.js';
import type { OverviewDto } from './overview.dto.js';

const MOST_TROUBLES = 100;

type ConsumersInTotal = Pick<OverviewDto, 'figures' | 'backlog' | 'consumers' | 'trouble' | 'troubleTotal'>;

/** The totals of all consumers, and those that need attention. */
export function consumersInTotal(judged: readonly JudgedConsumer[]): ConsumersInTotal {
  const sum = (of: (consumer: JudgedConsumer) => number, among = judged): number =>
    among.reduce((total, consumer) => total + of(consumer), 0);
  const first = (of: (consumer: JudgedConsumer) => Date | null): string | null =>
    judged
      .flatMap((consumer) => of(consumer) ?? [])
      .toSorted((a, b) => a.getTime() - b.getTime())[0]
      ?.toISOString() ?? null;
  const count = (state: HealthState): number => sum(({ health }) => Number(health.state === state));
  const flow = {
    waiting: sum(({ health }) => health.waiting),
    inPerMinute: Math.round(sum(({ health }) => health.inPerMinute) * 10) / 10,
    outPerMinute: Math.round(sum(({ health }) => health.outPerMinute) * 10) / 10,
  };
  const oldestDueAt = first(({ health }) => (health.state === 'paused' ? null : health.oldestDueAt));
  const receivingAll = judged.filter(receivesAll);
  const attempts = sum((consumer) => consumer.attempts, receivingAll);
  const failedAttempts = sum((consumer) => consumer.failedAttempts, receivingAll);
  const trouble = judged
    .filter(({ health }) => needsAttention(health))
    .toSorted((one, other) => worstFirst(one.health, other.health));
  return {
    figures: {
      waiting: flow.waiting,
      oldestDueAt,
      dead: {
        count: sum(({ health }) => health.dead.count),
        oldestAt: first(({ health }) => health.dead.oldestAt),
      },
      consumers: judged.length,
      consumersReceivingAll: receivingAll.length,
      successShare: attempts === 0 ? null : (attempts - failedAttempts) / attempts,
      consumersDown: count('down'),
    },
    backlog: { ...flow, oldestDueAt, ...backlogTrend(flow) },
    consumers: HEALTH_STATES.map((state) => ({ state, count: count(state) })),
    trouble: trouble.slice(0, MOST_TROUBLES).map(({ id, name, contact, pausedUntil, health }) => ({
      consumerId: id,
      name,
      contact,
      pausedUntil: pausedUntil?.toISOString() ?? null,
      health: consumerHealthView(health),
    })),
    troubleTotal: trouble.length,
  };
}

/** Whether everything arrives at the consumer, if not at the first attempt. */
const receivesAll = ({ health: { state, failures, dead }, circuit }: JudgedConsumer): boolean =>
  state !== 'paused' &&
  state !== 'credentials_broken' &&
  dead.count === 0 &&
  !isStreak({ failures, circuitOpenedAt: circuit.circuit_opened_at });

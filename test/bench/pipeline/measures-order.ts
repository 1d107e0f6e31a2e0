import { LIFE_LENGTH, Producer } from '#test/bench/engine/load';
import { median, round } from '#test/bench/engine/report';
import { nowMs } from '#test/bench/pipeline/clock';
import type { Consumers, Rig } from '#test/bench/pipeline/rig';

const CONSUMERS = 20;
const TURNS = 4;
const ORDERINGS = ['payment', 'none'] as const;
type Ordering = (typeof ORDERINGS)[number];

/**
 * What the order of a payment's statuses costs: the same load to consumers that want it and to consumers that opted out,
 * in turn. All statuses of a payment are posted at once, so that most deliveries have to wait for their predecessor;
 * hundreds of payments are in flight, so that a payment's own pace is not the limit.
 * @param payments of each turn
 */
export async function measureOrder(rig: Rig, payments: number): Promise<void> {
  const producer = new Producer(rig.stand);
  const consumers: Record<Ordering, Consumers> = {
    payment: await rig.consumers(CONSUMERS, {}, { ordering: 'payment' }),
    none: await rig.consumers(CONSUMERS, {}, { ordering: 'none' }),
  };
  const rates: Record<Ordering, number[]> = { payment: [], none: [] };
  // The first turn is a warm-up.
  for (let turn = 0; turn <= TURNS; turn += 1) {
    // Whichever is first has the smaller tables.
    for (const ordering of turn % 2 === 0 ? ORDERINGS : ORDERINGS.toReversed()) {
      const startedAt = nowMs();
      await producer.postLives(
        consumers[ordering].companies,
        payments,
        `ORDER-${ordering}-${String(startedAt)}`,
      );
      await rig.drained(consumers[ordering]);
      const seconds = (nowMs() - startedAt) / 1_000;
      if (turn > 0) rates[ordering].push((payments * LIFE_LENGTH) / seconds);
    }
  }
  producer.close();
  const [payment, none] = [median(rates.payment), median(rates.none)];
  rig.figures.add(
    'order.ratio',
    round(payment / none, 3),
    '',
    `deliveries a second to ${String(CONSUMERS)} consumers that want the order of a payment's ${String(LIFE_LENGTH)} statuses, posted back to back, by those to consumers that do not; medians of ${String(TURNS)} turns`,
    { parts: { payment, none } },
  );
}

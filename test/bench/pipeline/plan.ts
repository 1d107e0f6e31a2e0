/** How long and how much; `S` are seconds. */
export interface Plan {
  readonly limitS: number;
  readonly acceptS: number;
  readonly sustainedS: number;
  readonly latencyS: number;
  readonly everydayS: number;
  readonly workersS: number;
  /** Payments in each turn with order and without. */
  readonly orderPayments: number;
  /** Of the sustained rate. */
  readonly shares: readonly number[];
  /** Events, ten a second. */
  readonly idle: number;
  /** Deliveries, at least. */
  readonly backlog: number;
  readonly beyond: BeyondQuick | null;
}

/** What only a full run measures. */
export interface BeyondQuick {
  readonly consumersS: number;
  /** Deliveries of a dead consumer. */
  readonly deadBacklog: number;
  /** Deliveries in the history. */
  readonly finished: number;
}

export const QUICK: Plan = {
  limitS: 4,
  acceptS: 5,
  sustainedS: 10,
  latencyS: 6,
  everydayS: 10,
  workersS: 10,
  orderPayments: 1_000,
  shares: [0.5],
  idle: 50,
  backlog: 30_000,
  beyond: null,
};

/** A whole run, or the same with everything as short as `seconds`, as small as `rows`. */
export function fullPlan({
  seconds,
  rows,
}: { readonly seconds?: number; readonly rows?: number } = {}): Plan {
  return {
    limitS: seconds ?? 8,
    acceptS: seconds ?? 10,
    sustainedS: seconds ?? 60,
    latencyS: seconds ?? 15,
    everydayS: seconds ?? 20,
    workersS: seconds ?? 20,
    orderPayments: Math.min(rows ?? Infinity, 2_000),
    shares: [0.1, 0.5, 0.8],
    idle: (seconds ?? 20) * 10,
    backlog: rows ?? 100_000,
    beyond: {
      consumersS: seconds ?? 20,
      deadBacklog: rows ?? 1_000_000,
      finished: rows ?? 10_000_000,
    },
  };
}

import type { CatchUp } from '#test/chaos/catch-up';
import type { FaultDone } from '#test/chaos/observations';
import type { SpentAttempts } from '#test/chaos/spent-attempts';
import type { UnexpectedExit } from '#test/chaos/supervised-process';
import type { Unserved } from '#test/chaos/unserved';
import type { Verdict } from '#test/chaos/verdict';

/** The findings of a run. */
export interface Findings {
  readonly verdict: Verdict;
  readonly historyFaults: readonly string[];
  readonly reconciled: Readonly<Record<string, number>>;
  /** Results of superseded sessions, which were not recorded. */
  readonly refusedRecords: number;
  /** Delivery sessions that were opened. */
  readonly openings: number;
  readonly faults: readonly FaultDone[];
  /** Duplicates by cause. */
  readonly explained: Readonly<Record<string, number>>;
  /** Failed attempts of consumers that never fail. */
  readonly spent: SpentAttempts;
  readonly catchUp: CatchUp;
  readonly unserved: Unserved;
  readonly accepted: number;
  /** Requests that a producer had to repeat. */
  readonly unanswered: number;
  /** Dead and cancelled deliveries. */
  readonly ended: number;
  readonly arrivals: number;
  /** POSTs of which the sending worker is not known; all of them except on Linux. */
  readonly unknownSenders: number;
  /** Recorded attempts by outcome. */
  readonly attempts: Readonly<Record<string, number>>;
  readonly unexpectedExits: readonly (UnexpectedExit & { readonly process: string })[];
  readonly loadMs: number;
  /** From the end of load and faults until everything had arrived and was recorded. */
  readonly recoveryMs: number;
}

/** Violations by name. */
export function violations(findings: Findings): Record<string, readonly string[]> {
  const { verdict, historyFaults, spent, catchUp } = findings;
  const { lost, outOfOrder, foreign, badSignatures, differentBytes } = verdict;
  return {
    lost,
    outOfOrder,
    foreign,
    badSignatures,
    differentBytes,
    history: [...historyFaults, ...spent.faults],
    late: catchUp.late,
    unserved: findings.unserved.tooLong,
  };
}

export const isGood = (findings: Findings): boolean =>
  Object.values(violations(findings)).every((found) => found.length === 0);

/** The last line of the output. */
export function lastLine({ verdict }: Findings): string {
  const { lost, outOfOrder, foreign, badSignatures, differentBytes, duplicates, expectedDeliveries } =
    verdict;
  return (
    `chaos: ${lost.length} lost, ${outOfOrder.length} out of order, ${foreign.length} foreign, ` +
    `${badSignatures.length} bad signatures, ${differentBytes.length} different bytes, ` +
    `${duplicates.length} duplicates of ${expectedDeliveries}`
  );
}

/** All figures, for the JSON file. */
export function figures(findings: Findings) {
  const { verdict, faults, accepted, ended, arrivals, attempts, recoveryMs, loadMs } = findings;
  const found = violations(findings);
  return {
    accepted,
    unanswered: findings.unanswered,
    expectedDeliveries: verdict.expectedDeliveries,
    delivered: verdict.expectedDeliveries - verdict.lost.length,
    ended,
    arrivals,
    unknownSenders: findings.unknownSenders,
    attempts,
    faults: countBy(faults.map((fault) => fault.label)),
    effects: faults.flatMap(({ label, effect }) => (effect === undefined ? [] : [`${label}: ${effect}`])),
    duplicates: {
      total: verdict.duplicates.length,
      explained: findings.explained,
      /** POSTs in progress at the start of the faults: at most these can have been repeated. */
      bound: faults.reduce((sum, fault) => sum + fault.inFlight, 0),
    },
    violations: Object.fromEntries(Object.entries(found).map(([name, list]) => [name, list.length])),
    samples: Object.fromEntries(Object.entries(found).map(([name, list]) => [name, list.slice(0, SAMPLES)])),
    spentOnSteadyConsumers: findings.spent.timeouts,
    reconciled: findings.reconciled,
    refusedRecords: findings.refusedRecords,
    sessions: findings.openings,
    unexpectedExits: findings.unexpectedExits,
    loadMs,
    recoveryMs,
    /** The longest time that a steady consumer waited for a delivery after the last fault. */
    catchUpMs: findings.catchUp.longestMs,
    /** The longest time a steady consumer with due deliveries had no session, outside and inside of takeovers. */
    longestUnservedMs: findings.unserved.longestMs,
    longestTakeoverMs: findings.unserved.longestTakeoverMs,
  };
}

const SAMPLES = 10;

/** The figures as text. */
export function table(findings: Findings): string {
  const { samples, ...rest } = figures(findings);
  const rows = Object.entries(rest).map(
    ([name, value]) =>
      `  ${name.padEnd(22)} ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`,
  );
  const sampleLines = Object.entries(samples).flatMap(([name, list]) =>
    list.map((one) => `  ! ${name}: ${one}`),
  );
  return [...rows, ...sampleLines].join('\n');
}

function countBy(names: readonly string[]): Record<string, number> {
  return Object.fromEntries(
    [...Map.groupBy(names, (name) => name)].map(([name, found]) => [name, found.length]),
  );
}

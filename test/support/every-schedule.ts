import type { PendingState, SteppedWork } from '#test/support/stepped-work';
import { waitUntil } from '#test/support/wait-until';

/** What a schedule needs of a `SteppedWork`. */
export interface Steps {
  pendingState(): Promise<PendingState>;
  advance(): Promise<PendingState>;
}

type Works = Readonly<Record<string, Steps>>;

/** A point of a run at which more than one work could make the next step. */
interface Decision {
  readonly chosen: string;
  /** What later runs still have to choose here. */
  readonly untried: readonly string[];
}

/**
 * Runs a scenario once for every order in which its works can make their steps: a depth-first search, in which each run
 * repeats the decisions of a former one and takes another branch at the last of them. So no number of steps is kept in a
 * test, and a work that gets one more statement gets more runs. The number of preemptions can be bounded, as in Musuvathi
 * and Qadeer, "Iterative Context Bounding for Systematic Testing of Multithreaded Programs" (2007).
 *
 * `scenario` makes its own rows, begins its works and calls `schedule.run` once.
 * @param mostPreemptions how often a work that could go on has to wait for another one
 * @throws when there is only one order, since the works then have nothing to interleave
 */
export async function everySchedule(
  scenario: (schedule: Schedule) => Promise<void>,
  mostPreemptions = Infinity,
): Promise<void> {
  let branch: readonly string[] | undefined = [];
  let runs = 0;
  for (; branch !== undefined; runs += 1) {
    const schedule: Schedule = new Schedule(branch, mostPreemptions);
    try {
      await scenario(schedule);
    } catch (error) {
      if (error instanceof Error) error.message += `\nThe steps: ${schedule.turns.join(', ')}`;
      throw error;
    }
    branch = schedule.nextBranch();
  }
  if (runs < 2)
    throw new Error('The works have only one order: none of them has a step while another has one.');
}

/** One order of the steps; use `everySchedule`. */
export class Schedule {
  /** The names of the works that made the steps so far. */
  readonly turns: string[] = [];
  private readonly decisions: Decision[] = [];
  private preemptions = 0;

  constructor(
    private readonly branch: readonly string[],
    private readonly mostPreemptions: number,
  ) {}

  /**
   * Runs all works to their ends, one step at a time. A work that waits for another's lock has no step until it gets the
   * lock. An error of a work is in its own `result`.
   * @param look is called after each step
   */
  async run(works: Works, look: () => Promise<void> = () => Promise.resolve()): Promise<void> {
    for (;;) {
      const runnable = await this.runnableOf(works);
      const name = this.choose(runnable);
      if (name === undefined) return;
      if (this.isPreemption(name, runnable)) this.preemptions += 1;
      this.turns.push(name);
      await works[name]?.advance();
      await look();
    }
  }

  /** Runs two works to their ends. @returns their results */
  async both<A, B>(
    first: SteppedWork<A>,
    second: SteppedWork<B>,
    look?: () => Promise<void>,
  ): Promise<[A, B]> {
    await this.run({ first, second }, look);
    return Promise.all([first.result, second.result]);
  }

  /** The decisions of the next run: the last one that has an alternative is changed. @returns undefined after the last */
  nextBranch(): readonly string[] | undefined {
    const last = this.decisions.findLastIndex(({ untried }) => untried.length > 0);
    const [other] = this.decisions[last]?.untried ?? [];
    return other === undefined
      ? undefined
      : [...this.decisions.slice(0, last).map(({ chosen }) => chosen), other];
  }

  /** The works that can make a step, once each is halted, ended or waits for a lock; none when all have ended. */
  private async runnableOf(works: Works): Promise<string[]> {
    return waitUntil(
      async () => {
        const runnable: string[] = [];
        let areDone = true;
        for (const [name, work] of Object.entries(works)) {
          const state = await work.pendingState();
          areDone &&= state === 'done';
          if (state === 'paused') runnable.push(name);
        }
        return (areDone || runnable.length > 0) && runnable;
      },
      { what: 'PostgreSQL to end one of several works that wait for each other', everyMs: 1 },
    );
  }

  private choose(runnable: readonly string[]): string | undefined {
    const last = this.turns.at(-1) ?? '';
    const ordered = runnable.toSorted((a, b) => Number(b === last) - Number(a === last));
    const allowed = ordered.filter(
      (name) => this.preemptions < this.mostPreemptions || !this.isPreemption(name, runnable),
    );
    if (allowed.length < 2) return allowed[0];
    const index = this.decisions.length;
    const repeated = this.branch[index];
    if (repeated !== undefined && !allowed.includes(repeated))
      throw new Error(
        `After ${this.turns.join(', ')}, ${repeated} had a step in the former run, but not in this.`,
      );
    const chosen = repeated ?? allowed[0] ?? '';
    // Depth first: the choices before this one have been tried.
    const untried = allowed.slice(allowed.indexOf(chosen) + 1);
    this.decisions.push({ chosen, untried });
    return chosen;
  }

  private isPreemption(name: string, runnable: readonly string[]): boolean {
    const last = this.turns.at(-1);
    return last !== undefined && name !== last && runnable.includes(last);
  }
}

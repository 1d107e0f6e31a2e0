import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';

interface Question {
  readonly id: number;
  readonly call: string;
  /** Plain data; its type is known to who asks and who answers. */
  readonly given: never;
}
type Answer =
  { readonly id: number; readonly result: never } | { readonly id: number; readonly fault: string };

/** What a process of the benchmark can be asked to do: one argument, one result, both plain data. */
export type Calls = Readonly<Record<string, (given: never) => unknown>>;

type Given<F> = F extends (given: infer G) => unknown ? G : never;
type Result<F> = F extends (given: never) => infer R ? Awaited<R> : never;

/** A part of the benchmark in a process of its own, so that it shares processors but no event loop with the others. */
export class Child<C extends Calls> {
  /** Starts `file`, of this folder, which answers with `serve`. */
  static start<C extends Calls>(file: string): Child<C> {
    return new Child<C>(
      fork(join(import.meta.dirname, file), {
        execArgv: ['--experimental-transform-types', '--disable-warning=ExperimentalWarning'],
      }),
    );
  }

  private readonly waiting = new Map<
    number,
    { resolve: (value: never) => void; reject: (fault: Error) => void }
  >();
  private serial = 0;

  private constructor(private readonly process: ChildProcess) {
    process.on('message', (answer: Answer) => {
      const asker = this.waiting.get(answer.id);
      this.waiting.delete(answer.id);
      if ('fault' in answer) asker?.reject(new Error(answer.fault));
      else asker?.resolve(answer.result);
    });
    process.once('exit', (code) => {
      for (const { reject } of this.waiting.values())
        reject(new Error(`a part of the benchmark ended (${String(code)})`));
    });
  }

  get pid(): number {
    return this.process.pid ?? 0;
  }

  async ask<K extends keyof C & string>(call: K, given: Given<C[K]>): Promise<Result<C[K]>> {
    const id = (this.serial += 1);
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.process.send({ id, call, given }, (error) => {
        if (error !== null) reject(error);
      });
    });
  }

  stop(): void {
    if (this.process.connected) this.process.disconnect();
  }
}

/** The child's side: answers until its parent is gone. */
export function serve(calls: Calls): void {
  process.on('message', ({ id, call, given }: Question) => {
    const run = async (): Promise<unknown> => {
      const answer = calls[call];
      if (answer === undefined) throw new Error(`nobody answers ${call}`);
      return answer(given);
    };
    run().then(
      (result) => process.send?.({ id, result }),
      (error: unknown) =>
        process.send?.({
          id,
          fault: error instanceof Error ? (error.stack ?? error.message) : String(error),
        }),
    );
  });
  process.on('disconnect', () => process.exit());
}

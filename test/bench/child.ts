import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';

interface Request {
  readonly id: number;
  readonly call: string;
  /** Plain data; caller and callee agree on its type through `Calls`. */
  readonly given: never;
}
type Response =
  | { readonly id: number; readonly result: never }
  | { readonly id: number; readonly error: string };

/** The functions that a child process offers: one argument, one result, both plain data. */
export type Calls = Readonly<Record<string, (given: never) => unknown>>;

type Given<F> = F extends (given: infer G) => unknown ? G : never;
type Result<F> = F extends (given: never) => infer R ? Awaited<R> : never;

/** A part of the benchmark in its own process, so that it shares no event loop with the other parts. */
export class Child<C extends Calls> {
  /** Starts `file` of this folder, which calls `serve`. */
  static start<C extends Calls>(file: string): Child<C> {
    return new Child<C>(
      fork(join(import.meta.dirname, file), {
        execArgv: ['--experimental-transform-types', '--disable-warning=ExperimentalWarning'],
      }),
    );
  }

  private readonly pending = new Map<number, PromiseWithResolvers<never>>();
  private serial = 0;

  private constructor(private readonly process: ChildProcess) {
    process.on('message', (response: Response) => {
      const call = this.pending.get(response.id);
      this.pending.delete(response.id);
      if ('error' in response) call?.reject(new Error(response.error));
      else call?.resolve(response.result);
    });
    process.once('exit', (code) => {
      for (const { reject } of this.pending.values())
        reject(new Error(`a process of the benchmark ended (${String(code)})`));
    });
  }

  get pid(): number {
    return this.process.pid ?? 0;
  }

  /** Calls a function of the child. @throws what the function throws, or when the child ends */
  async call<K extends keyof C & string>(call: K, given: Given<C[K]>): Promise<Result<C[K]>> {
    const id = (this.serial += 1);
    const answer = Promise.withResolvers<never>();
    this.pending.set(id, answer);
    this.process.send({ id, call, given }, (error) => {
      if (error !== null) answer.reject(error);
    });
    return answer.promise;
  }

  stop(): void {
    if (this.process.connected) this.process.disconnect();
  }
}

/** The child's side: answers calls until its parent ends. */
export function serve(calls: Calls): void {
  process.on('message', ({ id, call, given }: Request) => {
    const run = async (): Promise<unknown> => {
      const called = calls[call];
      if (called === undefined) throw new Error(`there is no call ${call}`);
      return called(given);
    };
    run().then(
      (result) => process.send?.({ id, result }),
      (error: unknown) => process.send?.({ id, error: error instanceof Error ? error.stack : String(error) }),
    );
  });
  process.on('disconnect', () => process.exit());
}

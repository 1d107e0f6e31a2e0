import type { Dispatcher } from 'undici';
import { connectTimeout } from './guarded-connector.js';
import { RequestCreation } from './request-creation.js';
import {
  ResponseCollector,
  type BeforeWriting,
  type Collected,
  type CollectorLimits,
} from './response-collector.js';

/** The limits of one exchange. */
export interface Deadline {
  readonly timeoutMs: number;
  /** By `performance.now()`: the end of `timeoutMs`. */
  readonly deadlineMs: number;
}

/** Sends requests over pools of connections, each with one timer for the whole exchange. */
export class RequestSender {
  readonly #limits: CollectorLimits;
  readonly #creation = new RequestCreation();

  constructor(limits: CollectorLimits) {
    this.#limits = limits;
  }

  /** Rejects only with what `beforeWriting` throws. */
  post(
    pool: Dispatcher,
    request: Dispatcher.DispatchOptions,
    { timeoutMs, deadlineMs }: Deadline,
    beforeWriting: BeforeWriting,
  ): Promise<Collected> {
    const { promise, resolve, reject } = Promise.withResolvers<Collected>();
    const headers: BeforeWriting = () => {
      try {
        return beforeWriting();
      } catch (error) {
        // Here, because an outcome is read from the errors that come from the client.
        reject(error);
        throw error;
      }
    };
    const collector = new ResponseCollector(this.#limits, deadlineMs, headers, (collected) => {
      clearTimeout(timer);
      resolve(collected);
    });
    const timer = setTimeout(() => {
      collector.timeOut();
    }, timeoutMs);
    connectTimeout.run(timeoutMs, () => {
      this.#creation.during(() => pool.dispatch(request, collector), collector);
    });
    return promise;
  }

  end(): void {
    this.#creation.end();
  }
}

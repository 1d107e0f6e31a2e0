import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import type { FromReceiving } from '#test/bench/engine/receiving';

/** A process of consumers, and what has arrived there. */
export class Receivers {
  /** When each notification first arrived, in milliseconds since 1970. */
  readonly arrivals = new Map<string, number>();
  /** Requests so far, repeats included. */
  requests = 0;

  static async start(behaviour: 'answers' | 'hangs', count: number): Promise<Receivers> {
    const child = fork(join(import.meta.dirname, 'receiving.ts'), [behaviour, String(count)], {
      execArgv: ['--disable-warning=ExperimentalWarning'],
    });
    const receivers = new Receivers(child);
    await new Promise<void>((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', () => reject(new Error('the consumers ended')));
      child.on('message', (message: FromReceiving) => {
        if ('ports' in message) {
          receivers.urls = message.ports.map((port) => `http://127.0.0.1:${String(port)}/hook`);
          resolve();
        } else receivers.hear(message.arrived);
      });
    });
    return receivers;
  }

  urls: readonly string[] = [];

  private constructor(private readonly child: ChildProcess) {}

  stop(): void {
    this.child.disconnect();
  }

  private hear(arrived: readonly { readonly id: string; readonly at: number }[]): void {
    this.requests += arrived.length;
    for (const { id, at } of arrived) if (!this.arrivals.has(id)) this.arrivals.set(id, at);
  }
}

import { faultText } from './fault-text.js';
import { Injectable } from '@nestjs/common';

/** Rejects when the process should get no work for this reason; the message is for an operator. */
export type ReadinessCheck = () => Promise<void>;

const CHECK_TIMEOUT_MS = 2_000;

/** What a process needs to be of use; each part registers its own check. */
@Injectable()
export class Readiness {
  private readonly checks = new Map<string, ReadinessCheck>();

  register(name: string, check: ReadinessCheck): void {
    this.checks.set(name, check);
  }

  /** @returns each check's name with `ok` or what is wrong; a check that hangs for 2 s is wrong */
  async report(): Promise<{ ready: boolean; checks: Record<string, string> }> {
    const entries = await Promise.all(
      [...this.checks].map(async ([name, check]): Promise<[string, string]> => {
        let timer: NodeJS.Timeout | undefined;
        const late = new Promise<never>((_, reject) => {
          timer = setTimeout(() => reject(new Error('no answer within 2 s')), CHECK_TIMEOUT_MS);
        });
        try {
          await Promise.race([check(), late]);
          return [name, 'ok'];
        } catch (error) {
          return [name, faultText(error)];
        } finally {
          clearTimeout(timer);
        }
      }),
    );
    return { ready: entries.every(([, state]) => state === 'ok'), checks: Object.fromEntries(entries) };
  }
}

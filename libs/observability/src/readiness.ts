import { within } from '#libs/contracts';
import { Injectable } from '@nestjs/common';
import { faultText } from './fault-text.js';

/** Rejects when the process should not get requests; the message is for an operator. */
export type ReadinessCheck = () => Promise<void>;

const CHECK_TIMEOUT_MS = 2_000;

/** Readiness checks of a process; each part registers its own. */
@Injectable()
export class Readiness {
  private readonly checks = new Map<string, ReadinessCheck>();

  register(name: string, check: ReadinessCheck): void {
    this.checks.set(name, check);
  }

  /** @returns each check's name with `ok` or its fault; a check fails after 2 s */
  async report(): Promise<{ ready: boolean; checks: Record<string, string> }> {
    const entries = await Promise.all(
      [...this.checks].map(async ([name, check]): Promise<[string, string]> => {
        try {
          await within(CHECK_TIMEOUT_MS, check(), () => {
            throw new Error('no answer within 2 s');
          });
          return [name, 'ok'];
        } catch (error) {
          return [name, faultText(error)];
        }
      }),
    );
    return { ready: entries.every(([, state]) => state === 'ok'), checks: Object.fromEntries(entries) };
  }
}

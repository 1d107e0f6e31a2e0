import { setTimeout as pause } from 'node:timers/promises';
import { inspect } from 'node:util';

/** Thrown by a check whose condition can no longer become true: the wait ends at once. */
export class StopWaitingError extends Error {
  override readonly name = 'StopWaitingError';
}

/**
 * The default deadline for conditions that normally take a few seconds: enough for a machine that is several times
 * slower than usual. A wait that succeeds does not use it up.
 */
export const LONGEST_WAIT_MS = 60_000;

export interface WaitOptions {
  /** LONGEST_WAIT_MS by default; given when the time is part of a contract, or more time is needed. */
  deadlineMs?: number;
  /** Completes "Waited … in vain for": `the delivery to be dead`. */
  what: string | (() => string);
  /** Time between two checks. By default a tenth of the time waited so far, within 20 to 250 ms. */
  everyMs?: number;
}

type Falsy = false | 0 | '' | null | undefined;

/**
 * Polls until the check returns a truthy value, and returns that value. A check that throws is repeated, so that it
 * may contain assertions.
 * @throws when the deadline passes, with what was awaited and the last value or error
 */
export async function waitUntil<T>(
  check: () => T | Promise<T>,
  { deadlineMs = LONGEST_WAIT_MS, what, everyMs }: WaitOptions,
): Promise<Exclude<T, Falsy>> {
  const expiry = new AbortController();
  const expired = pause(deadlineMs, undefined, { signal: expiry.signal }).catch(() => undefined);
  const startedAtMs = performance.now();
  let last: Answer<T> | undefined;
  try {
    for (;;) {
      const seen = await Promise.race([ask(check), expired]);
      if (seen === undefined) break;
      if (seen.ok && isTruthy(seen.value)) return seen.value;
      if (!seen.ok && seen.error instanceof StopWaitingError) throw seen.error;
      last = seen;
      // Six test processes share two cores: a long wait that checked every 20 ms would take time from what it waits for.
      const intervalMs = everyMs ?? Math.min(250, Math.max(20, (performance.now() - startedAtMs) / 10));
      if ((await Promise.race([pause(intervalMs, 'again' as const), expired])) === undefined) break;
    }
  } finally {
    expiry.abort();
  }
  const subject = typeof what === 'string' ? what : what();
  throw new Error(`Waited ${deadlineMs} ms in vain for ${subject}; ${inWords(last)}`, {
    cause: last?.ok === false ? last.error : undefined,
  });
}

function inWords(last: Answer<unknown> | undefined): string {
  if (last === undefined) return 'the check has not returned once';
  return last.ok ? `last value: ${inspect(last.value, { depth: 4 })}` : `last error: ${String(last.error)}`;
}

type Answer<T> = { ok: true; value: T } | { ok: false; error: unknown };

async function ask<T>(check: () => T | Promise<T>): Promise<Answer<T>> {
  try {
    return { ok: true, value: await check() };
  } catch (error) {
    return { ok: false, error };
  }
}

function isTruthy<T>(value: T): value is Exclude<T, Falsy> {
  return Boolean(value);
}

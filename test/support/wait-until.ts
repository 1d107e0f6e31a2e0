import { setTimeout as pause } from 'node:timers/promises';
import { inspect } from 'node:util';

/** Thrown by a check that knows its condition can no longer come true: the wait ends at once. */
export class HopelessError extends Error {
  override readonly name = 'HopelessError';
}

/**
 * How long the tests wait for what takes seconds at most: a machine that is starved, several times slower than usual,
 * is still in time. A wait that comes to its end costs none of it.
 */
export const LONGEST_WAIT_MS = 60_000;

export interface WaitOptions {
  /** LONGEST_WAIT_MS unless told: where the time is part of what is promised, or more is needed. */
  deadlineMs?: number;
  /** Completes "Waited … in vain for": `the delivery to be dead`. */
  what: string | (() => string);
  everyMs?: number;
}

type Falsy = false | 0 | '' | null | undefined;

/**
 * Polls until the check returns something truthy, and returns that. A check that throws is asked again, so that
 * assertions may stand in it.
 * @throws when the deadline passes, telling what was waited for and the last value or error seen
 */
export async function waitUntil<T>(
  check: () => T | Promise<T>,
  { deadlineMs = LONGEST_WAIT_MS, what, everyMs = 20 }: WaitOptions,
): Promise<Exclude<T, Falsy>> {
  const expiry = new AbortController();
  const expired = pause(deadlineMs, undefined, { signal: expiry.signal }).catch(() => undefined);
  let last = 'the check has not answered once';
  let cause: unknown;
  try {
    for (;;) {
      const seen = await Promise.race([ask(check), expired]);
      if (seen === undefined) break;
      if (seen.ok && isTruthy(seen.value)) return seen.value;
      if (!seen.ok && seen.error instanceof HopelessError) throw seen.error;
      cause = seen.ok ? undefined : seen.error;
      last = seen.ok
        ? `last value: ${inspect(seen.value, { depth: 4 })}`
        : `last error: ${String(seen.error)}`;
      if ((await Promise.race([pause(everyMs, 'again' as const), expired])) === undefined) break;
    }
  } finally {
    expiry.abort();
  }
  const subject = typeof what === 'string' ? what : what();
  throw new Error(`Waited ${deadlineMs} ms in vain for ${subject}; ${last}`, { cause });
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

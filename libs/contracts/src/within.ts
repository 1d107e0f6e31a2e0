/**
 * Waits for a promise for a limited time. The promise itself goes on; its later failure is ignored. The timer does not
 * keep the process alive.
 *
 * @param late what to return, or to throw, when `ms` milliseconds have passed; undefined is returned by default
 */
export function within<T>(ms: number, promise: Promise<T>): Promise<T | undefined>;
export function within<T, L>(ms: number, promise: Promise<T>, late: () => L): Promise<T | L>;
export async function within<T>(
  ms: number,
  promise: Promise<T>,
  late: () => unknown = () => undefined,
): Promise<unknown> {
  const expired = Promise.withResolvers<void>();
  const timer = setTimeout(expired.resolve, ms).unref();
  try {
    return await Promise.race([promise, expired.promise.then(late)]);
  } finally {
    clearTimeout(timer);
  }
}

/** PostgreSQL is unreachable or shutting down. Nothing was decided; the caller can try again later. */
export class DatabaseUnavailableError extends Error {
  override readonly name = 'DatabaseUnavailableError';
}

/** Returns the SQLSTATE of a server's error or the code of a socket's error; undefined for other errors. */
export function codeOf(error: unknown): string | undefined {
  // Without instanceof: a socket's error may come from another realm, which has a different Error class.
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

const SOCKET_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/** Messages of node-postgres, whose errors for a broken or missing connection carry no code. */
const DRIVER_MESSAGES =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable|Query read timeout|Client was closed/;

/** Errors raised by connections to PostgreSQL. */
const raisedByConnections = new WeakSet<object>();

/** Marks an error as PostgreSQL's: an HTTP client that disconnects also raises ECONNRESET. */
export function noteConnectionFault(error: unknown): void {
  if (typeof error === 'object' && error !== null) raisedByConnections.add(error);
}

/**
 * Whether the connection or the server failed, and not the statement itself: SQLSTATE classes 08, 28, 53 and 57; 25006, a
 * standby; 25P03, a transaction that was ended because this process was suspended; a broken or missing connection.
 */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseUnavailableError) return true;
  const code = codeOf(error);
  if (code !== undefined && (/^(08|28|53|57)...$/.test(code) || ['25006', '25P03'].includes(code)))
    return true;
  if (typeof error !== 'object' || error === null || !raisedByConnections.has(error)) return false;
  return code === undefined
    ? error instanceof Error && DRIVER_MESSAGES.test(error.message)
    : SOCKET_CODES.has(code);
}

/** Whether PostgreSQL refuses the login (class 28): a wrong password, or a role that may not log in. */
export function isLoginRefused(error: unknown): boolean {
  return /^28...$/.test(codeOf(error) ?? '');
}

/**
 * Whether PostgreSQL cancelled a statement that exceeded its time limit. The driver's own, later limit does not count: it
 * is reached only when PostgreSQL does not answer at all.
 */
export function isTooSlow(error: unknown): boolean {
  return codeOf(error) === '57014';
}

/** Whether a second try can succeed, after a conflict: deadlock, serialization failure, lock timeout. */
export function isTransient(error: unknown): boolean {
  return ['40001', '40P01', '55P03'].includes(codeOf(error) ?? '');
}

/**
 * Whether the database refuses the content itself: data that it cannot store (class 22), or a row or index entry that is
 * too large (class 54). Class 23 is not included: a violated constraint or a missing partition is an error of the
 * dispatcher, not of the content.
 */
export function isRefusal(error: unknown): boolean {
  return /^(22|54)...$/.test(codeOf(error) ?? '');
}

const TRIES = 4;

/**
 * Repeats `work`, a transaction, after a deadlock, serialization failure or lock timeout, which has rolled it back.
 */
export async function retryTransient<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isTransient(error) || tries >= TRIES) throw error;
    }
  }
}

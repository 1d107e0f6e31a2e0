/**
 * What a fault says of itself, for a log line or a status: its message, whatever was thrown. Node's error for a host with
 * several addresses that all fail has a code and no message.
 */
export function faultText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.message !== '') return error.message;
  return 'code' in error ? String(error.code) : error.name;
}

/**
 * The message of a thrown value, for a log line or a status. When all addresses of a host fail, Node's error has a code and
 * no message.
 */
export function faultText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.message !== '') return error.message;
  return 'code' in error ? String(error.code) : error.name;
}

const FEWEST = 16;
const MOST = 256;

/** Said beside the field of a secret that was agreed on. */
export const SECRET_LENGTH = `${String(FEWEST)} to ${String(MOST)} characters`;

/** What is wrong with a signing secret that was agreed on; null when nothing is. The api counts code points, too. */
export function secretFault(secret: string): string | null {
  const length = [...secret].length;
  return length < FEWEST || length > MOST ? `Give ${SECRET_LENGTH}` : null;
}

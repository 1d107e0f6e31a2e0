/** W3C Trace Context, section 3.2: version, trace id, parent id, flags; ids of zeros only are none. */
const TRACEPARENT = /^(?!ff)[\da-f]{2}(-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2})(?=$|-)/;
const LENGTH = 55;

/** A header as version 00 has it; undefined when it is none, which is then as if it had not been sent. */
export function readTraceparent(header: string | undefined): string | undefined {
  const rest = header === undefined ? undefined : TRACEPARENT.exec(header)?.[1];
  if (header === undefined || rest === undefined) return undefined;
  // Later versions may say more after the part that they share with this one.
  if (header.startsWith('00') && header.length !== LENGTH) return undefined;
  return `00${rest}`;
}

/** The trace's id, the same in spans and log lines. */
export function traceIdOf(traceparent: string): string {
  return traceparent.slice(3, 35);
}

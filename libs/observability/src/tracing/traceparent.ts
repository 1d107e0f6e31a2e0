/** W3C Trace Context, section 3.2: version, trace id, parent id, flags; ids of only zeros are invalid. */
const TRACEPARENT = /^(?!ff)[\da-f]{2}(-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2})(?=$|-)/;
const LENGTH = 55;

/** Returns a `traceparent` header in the form of version 00; undefined for an invalid one, which is ignored. */
export function readTraceparent(header: string | undefined): string | undefined {
  const rest = header === undefined ? undefined : TRACEPARENT.exec(header)?.[1];
  if (header === undefined || rest === undefined) return undefined;
  // Later versions can be longer; their beginning is the same.
  if (header.startsWith('00') && header.length !== LENGTH) return undefined;
  return `00${rest}`;
}

/** The trace's id, the same in spans and log lines. */
export function traceIdOf(traceparent: string): string {
  return traceparent.slice(3, 35);
}

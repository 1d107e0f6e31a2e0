/** What a fault says of itself, for a log line or a status: its message, whatever was thrown. */
export const faultText = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** RFC 9110, 15.5.11: the resource is gone, on purpose and likely for good. */
const GONE = 410;

/**
 * Whether a consumer's answer pauses that consumer, so that its deliveries wait (`paused`)
 * for an operator instead of wearing out their schedules.
 *
 * @param httpStatus the answer's status, or null when none came.
 */
export function asksForPause(httpStatus: number | null): boolean {
  return httpStatus === GONE;
}

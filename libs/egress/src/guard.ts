import { addressVerdict } from './address-verdict.js';
import type { EgressAllow } from './egress-allow.js';
import { FailureError } from './failure.js';

/** The guard's answer for one address: the error to connect with instead, or null when it is permitted. */
export function guardAddress(address: string, allow: EgressAllow): FailureError | null {
  const verdict = addressVerdict(address, allow);
  if (verdict.permitted) return null;
  return new FailureError({
    outcome: 'blocked_address',
    detail: `${address} is not permitted: ${verdict.reason}`,
  });
}

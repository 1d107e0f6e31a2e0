import type { AchEventInfoDto } from './ach-event.dto.js';
import type { WireEventInfoDto } from './wire-event.dto.js';

/** Unusual values that are accepted; each is counted. */
export type ContractWarning =
  | 'unknown_standard_entry_class'
  | 'unusual_trace_number'
  | 'return_noc_mismatch'
  | 'wire_without_status';

/** The Standard Entry Class codes of Nacha's rules. */
const STANDARD_ENTRY_CLASSES = new Set(
  'ACK ADV ARC ATX BOC CCD CIE COR CTX DNE ENR IAT MTE POP POS PPD RCK SHR TEL TRC TRX WEB XCK'.split(' '),
);

/** The unusual values of a valid status change. */
export function warningsOf(
  ach: AchEventInfoDto | undefined,
  wire: WireEventInfoDto | undefined,
): ContractWarning[] {
  const warnings: ContractWarning[] = [];
  if (ach !== undefined) {
    if (!STANDARD_ENTRY_CLASSES.has(ach.standardEntryClass)) warnings.push('unknown_standard_entry_class');
    if (ach.traceNumber !== undefined && !/^\d{15}$/.test(ach.traceNumber))
      warnings.push('unusual_trace_number');
    const fits = { NOC: 'NOTICE_OF_CHANGE', Return: 'RETURN' } as const;
    if (ach.returnNOC !== undefined && fits[ach.returnNOC.type] !== ach.status)
      warnings.push('return_noc_mismatch');
  }
  if (wire !== undefined && wire.status === undefined) warnings.push('wire_without_status');
  return warnings;
}

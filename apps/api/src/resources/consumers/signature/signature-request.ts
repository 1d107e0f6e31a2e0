import type { FieldFault } from '#libs/contracts';
import { InvalidContentError } from '../../../http/invalid-input.js';
import type { AttemptToExplain, SignatureToCompare } from './explain-signature.js';
import type { ExplainSignatureDto } from './signature.dto.js';

const PASTED = ['body', 'timestamp', 'signature', 'url', 'credentialVersion'] as const;

/** Returns one of the forms, complete; `last`: nothing is given. @throws InvalidContentError for each missing or superfluous field */
export function signatureRequest(given: ExplainSignatureDto): AttemptToExplain | SignatureToCompare | 'last' {
  const { deliveryId, attempt, body, timestamp, signature, url, credentialVersion } = given;
  const faults: FieldFault[] = [];
  if (deliveryId !== undefined || attempt !== undefined) {
    for (const field of PASTED) {
      if (given[field] !== undefined)
        faults.push({ field, message: 'must be absent when a deliveryId is given' });
    }
    if (deliveryId === undefined)
      faults.push({ field: 'deliveryId', message: 'is required with an attempt' });
    else if (faults.length === 0) return { deliveryId: deliveryId.toLowerCase(), attempt };
  } else {
    if (Object.keys(given).length === 0) return 'last';
    if (body !== undefined && timestamp !== undefined && signature !== undefined)
      return { body, timestamp, signature, url, credentialVersion };
    if (body === undefined)
      faults.push({ field: 'body', message: 'is required when no deliveryId is given' });
    if (timestamp === undefined) faults.push({ field: 'timestamp', message: 'is required with a body' });
    if (signature === undefined)
      faults.push({
        field: 'signature',
        message: 'is required with a body: the one that the consumer has computed',
      });
  }
  throw new InvalidContentError(faults);
}

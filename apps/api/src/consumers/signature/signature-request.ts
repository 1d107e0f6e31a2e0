import type { FieldFault } from '#libs/contracts';
import { readSignature } from '#libs/signing';
import { InvalidContentError } from '../../http/invalid-input.js';
import type { CompareRequest } from '../../operations/signature/compare-signature.js';
import type { ExplainRequest } from '../../operations/signature/explain-signature.js';
import type { ExplainSignatureDto } from './signature.dto.js';

const OF_DELIVERY = ['deliveryId', 'attempt'] as const;
const PASTED = ['body', 'timestamp', 'signature', 'url', 'credentialVersion'] as const;

/** Returns one of the two forms, complete. @throws InvalidContentError for each missing or superfluous field */
export function signatureRequest(given: ExplainSignatureDto): ExplainRequest | CompareRequest {
  const { deliveryId, attempt } = given;
  const faults: FieldFault[] = [];
  if (OF_DELIVERY.some((field) => given[field] !== undefined)) {
    for (const field of PASTED) {
      if (given[field] !== undefined)
        faults.push({ field, message: 'must be absent when a deliveryId is given' });
    }
    if (deliveryId === undefined)
      faults.push({ field: 'deliveryId', message: 'is required with an attempt' });
    else if (faults.length === 0) return { deliveryId: deliveryId.toLowerCase(), attempt };
  } else {
    return comparisonOf(given);
  }
  throw new InvalidContentError(faults);
}

/** Returns the form with a signature of the consumer, complete. @throws InvalidContentError for each missing field */
export function comparisonOf(given: Pick<ExplainSignatureDto, (typeof PASTED)[number]>): CompareRequest {
  const { body, timestamp, url, credentialVersion } = given;
  const signature = readSignature(given.signature ?? '');
  if (body !== undefined && timestamp !== undefined && signature !== null)
    return { signature, body, timestamp, url, credentialVersion };
  const faults: FieldFault[] = [];
  if (body === undefined) faults.push({ field: 'body', message: 'is required when no deliveryId is given' });
  if (timestamp === undefined) faults.push({ field: 'timestamp', message: 'is required with a body' });
  if (signature === null)
    faults.push({
      field: 'signature',
      message: 'is required with a body: the one that the consumer has computed',
    });
  throw new InvalidContentError(faults);
}

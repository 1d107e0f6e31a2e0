import type { FieldFault } from '#libs/contracts';
import { SignatureExplainer, type ExplainRequest } from '#libs/dispatch';
import { UndecryptableError } from '#libs/vault';
import { ConflictException, Injectable, NotFoundException } from '@nestjs/common';
import { auditEntry, type Actor } from '../../access/audit-entry.js';
import { InvalidContentError } from '../../http/invalid-input.js';
import type { ExplainSignatureDto, SignatureExplanationDto } from './signature.dto.js';

/** Settles a consumer's mismatch: what is signed, and what comes of it. */
@Injectable()
export class SignatureService {
  constructor(private readonly explainer: SignatureExplainer) {}

  async explain(id: string, body: ExplainSignatureDto, actor: Actor): Promise<SignatureExplanationDto> {
    const request = requestOf(body);
    const subject =
      'deliveryId' in request
        ? { deliveryId: request.deliveryId, attempt: request.attempt }
        : { pastedBytes: Buffer.byteLength(request.body), timestamp: request.timestamp };
    const explained = await this.explainer
      .explain(id, request, (credentialVersion) =>
        auditEntry(actor, {
          action: 'signature.explained',
          target: `consumer:${id}`,
          details: { ...subject, credentialVersion },
        }),
      )
      .catch((error: unknown) => {
        throw error instanceof UndecryptableError ? new ConflictException(`${error.message}.`) : error;
      });
    switch (explained.kind) {
      case 'explained':
        return explained.explanation;
      case 'no_consumer':
        throw new NotFoundException('There is no such consumer.');
      case 'no_delivery':
        throw new NotFoundException('This consumer has no such delivery.');
      case 'no_attempt':
        throw new NotFoundException('The delivery has no attempt of this number.');
      case 'not_tried':
        throw new ConflictException('The delivery has not been tried yet: nothing was signed.');
      case 'no_version':
        throw new InvalidContentError([
          { field: 'credentialVersion', message: 'must be a version of this consumer’s credentials' },
        ]);
    }
  }
}

const OF_DELIVERY = ['deliveryId', 'attempt'] as const;
const PASTED = ['body', 'timestamp', 'url', 'credentialVersion'] as const;

/** One of the two forms, whole. @throws InvalidContentError naming what is missing or too much */
function requestOf(given: ExplainSignatureDto): ExplainRequest {
  const { deliveryId, attempt, body, timestamp, url, credentialVersion } = given;
  const faults: FieldFault[] = [];
  if (OF_DELIVERY.some((field) => given[field] !== undefined)) {
    for (const field of PASTED) {
      if (given[field] !== undefined) faults.push({ field, message: 'must be absent beside a delivery' });
    }
    if (deliveryId === undefined)
      faults.push({ field: 'deliveryId', message: 'is required with an attempt' });
    else if (faults.length === 0) return { deliveryId: deliveryId.toLowerCase(), attempt };
  } else {
    if (body === undefined) faults.push({ field: 'body', message: 'is required, or else a deliveryId' });
    if (timestamp === undefined) faults.push({ field: 'timestamp', message: 'is required with a body' });
    if (body !== undefined && timestamp !== undefined) return { body, timestamp, url, credentialVersion };
  }
  throw new InvalidContentError(faults);
}

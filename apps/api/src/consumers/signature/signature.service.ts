import type { FieldFault } from '#libs/contracts';
import {
  SignatureComparer,
  SignatureExplainer,
  type CompareRequest,
  type ExplainRequest,
} from '#libs/dispatch';
import { readSignature } from '#libs/signing';
import { UndecryptableError } from '#libs/vault';
import { ConflictException, Injectable, NotFoundException } from '@nestjs/common';
import { auditEntry, type Actor } from '../../access/audit-entry.js';
import { InvalidContentError } from '../../http/invalid-input.js';
import type {
  ExplainSignatureDto,
  SignatureComparisonDto,
  SignatureExplanationDto,
} from './signature.dto.js';

/** Finds the cause of a consumer's mismatch: what was signed in an attempt, or what the consumer has signed instead. */
@Injectable()
export class SignatureService {
  constructor(
    private readonly explainer: SignatureExplainer,
    private readonly comparer: SignatureComparer,
  ) {}

  /**
   * @throws InvalidContentError when neither form is whole, ConflictException when a secret cannot be decrypted,
   * NotFoundException for an unknown consumer, delivery or attempt
   */
  async answer(
    id: string,
    body: ExplainSignatureDto,
    actor: Actor,
  ): Promise<SignatureExplanationDto | SignatureComparisonDto> {
    const request = requestOf(body);
    const answer =
      'deliveryId' in request ? this.explain(id, request, actor) : this.compare(id, request, actor);
    return answer.catch((error: unknown) => {
      throw error instanceof UndecryptableError ? new ConflictException(`${error.message}.`) : error;
    });
  }

  private async explain(id: string, request: ExplainRequest, actor: Actor): Promise<SignatureExplanationDto> {
    const { deliveryId } = request;
    const explained = await this.explainer.explain(id, request, (facts) =>
      auditEntry(actor, {
        action: 'signature.explained',
        target: `consumer:${id}`,
        details: { deliveryId, ...facts },
      }),
    );
    switch (explained.kind) {
      case 'explained':
        return { kind: 'explanation', ...explained.explanation };
      case 'no_consumer':
        return noConsumer();
      case 'no_delivery':
        throw new NotFoundException('This consumer has no such delivery.');
      case 'no_attempt':
        throw new NotFoundException('The delivery has no attempt of this number.');
      case 'not_tried':
        throw new ConflictException('The delivery has not been tried yet: nothing was signed.');
      case 'no_version':
        throw new NotFoundException('The version of the credentials that this attempt used is gone.');
    }
  }

  private async compare(id: string, request: CompareRequest, actor: Actor): Promise<SignatureComparisonDto> {
    const compared = await this.comparer.compare(id, request, (facts) =>
      auditEntry(actor, {
        action: 'signature.explained',
        target: `consumer:${id}`,
        details: { ...facts },
      }),
    );
    switch (compared.kind) {
      case 'compared':
        return { kind: 'comparison', ...compared.comparison };
      case 'no_consumer':
        return noConsumer();
      case 'no_version':
        throw new InvalidContentError([
          { field: 'credentialVersion', message: 'must be a version of this consumer’s credentials' },
        ]);
    }
  }
}

function noConsumer(): never {
  throw new NotFoundException('There is no such consumer.');
}

const OF_DELIVERY = ['deliveryId', 'attempt'] as const;
const PASTED = ['body', 'timestamp', 'signature', 'url', 'credentialVersion'] as const;

/** One of the two forms, whole. @throws InvalidContentError naming what is missing or too much */
function requestOf(given: ExplainSignatureDto): ExplainRequest | CompareRequest {
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
    const signature = readSignature(given.signature ?? '');
    if (body === undefined) faults.push({ field: 'body', message: 'is required, or else a deliveryId' });
    if (timestamp === undefined) faults.push({ field: 'timestamp', message: 'is required with a body' });
    if (signature === null)
      faults.push({
        field: 'signature',
        message: 'is required with a body: the one that the consumer has computed',
      });
    if (body !== undefined && timestamp !== undefined && signature !== null)
      return { signature, body, timestamp, url, credentialVersion };
  }
  throw new InvalidContentError(faults);
}

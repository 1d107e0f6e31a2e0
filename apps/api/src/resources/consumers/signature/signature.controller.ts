import { Body } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, getSchemaPath } from '@nestjs/swagger';
import { Allow } from '../../../access/allow.decorator.js';
import { CurrentActor, type Actor } from '../../../access/audit-entry.js';
import { InScope, type Scope } from '../../../access/scope.js';
import { Action, Id, Refuses, Routes } from '../../../http/routes.js';
import { ExplainSignature } from './explain-signature.js';
import { signatureRequest } from './signature-request.js';
import { signatureWords } from './signature-words.js';
import { ExplainSignatureDto, SignatureComparisonDto, SignatureExplanationDto } from './signature.dto.js';

@ApiExtraModels(SignatureExplanationDto, SignatureComparisonDto)
@Routes({ path: 'consumers/:id/explain-signature', tag: 'consumers' })
export class SignatureController {
  constructor(private readonly signature: ExplainSignature) {}

  /**
   * Explain a signature
   * @remarks For an attempt of a delivery, or with an empty body for the request that was sent last: the exact
   * string that is signed, its parts and the signature. For a pasted
   * body, timestamp and signature of the consumer: whether the signature matches, and if not, which variation of URL,
   * timestamp, body, order of the parts or secret it results from, at most two combined. The response never contains
   * the secret, nor a signature of a text that is not a notification of this consumer. The audit log records the
   * caller, the URL, a digest of the body and the finding.
   */
  @Action()
  @Allow('oncall', 'consumer')
  @ApiOkResponse({
    schema: {
      oneOf: [
        { $ref: getSchemaPath(SignatureExplanationDto) },
        { $ref: getSchemaPath(SignatureComparisonDto) },
      ],
      discriminator: {
        propertyName: 'kind',
        mapping: {
          explanation: getSchemaPath(SignatureExplanationDto),
          comparison: getSchemaPath(SignatureComparisonDto),
        },
      },
    },
  })
  @Refuses({
    404: 'There is no such consumer, or it has no such delivery or attempt.',
    409: 'Nothing was sent yet, or the secret cannot be decrypted.',
  })
  async explainSignature(
    @Id() id: string,
    @Body() body: ExplainSignatureDto,
    @CurrentActor() actor: Actor,
    @InScope() scope: Scope,
  ): Promise<SignatureExplanationDto | SignatureComparisonDto> {
    const request = signatureRequest(body);
    const inScope = (words: string): string => signatureWords(words, scope);
    if (request === 'last' || 'deliveryId' in request) {
      const explained = await (request === 'last'
        ? this.signature.ofLastSent(id, actor)
        : this.signature.ofAttempt(id, request, actor));
      return { kind: 'explanation', ...explained, notes: explained.notes.map(inScope) };
    }
    const { differences, notes, ...compared } = await this.signature.ofPasted(id, request, actor);
    return {
      kind: 'comparison',
      ...compared,
      differences: differences.map(({ code, words }) => ({ code, words: inScope(words) })),
      notes: notes.map(inScope),
    };
  }
}

import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import {
  ApiConflictResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  ApiUnprocessableEntityResponse,
} from '@nestjs/swagger';
import { Allow } from '../../access/allow.decorator.js';
import { CurrentActor, type Actor } from '../../access/audit-entry.js';
import { PROBLEM_RESPONSE } from '../../http/problem-response.js';
import { uuidParameter } from '../../http/uuid.pipe.js';
import { ExplainSignatureDto, SignatureExplanationDto } from './signature.dto.js';
import { SignatureService } from './signature.service.js';

@ApiTags('consumers')
@Controller({ path: 'consumers/:id/explain-signature', version: '1' })
export class SignatureController {
  constructor(private readonly signatures: SignatureService) {}

  @Post()
  @HttpCode(200)
  @Allow('oncall')
  @ApiOperation({
    summary: 'Explain a signature',
    description:
      'For an attempt of a delivery, or for a pasted body and timestamp: the exact string that is signed, its parts ' +
      'and the signature. The secret is never shown; who asked is kept in the audit log.',
    operationId: 'explainSignature',
  })
  @ApiOkResponse({ type: SignatureExplanationDto })
  @ApiNotFoundResponse(PROBLEM_RESPONSE('There is no such consumer, delivery of it, or attempt.'))
  @ApiConflictResponse(
    PROBLEM_RESPONSE('The delivery has not been tried, or the secret cannot be decrypted.'),
  )
  @ApiUnprocessableEntityResponse(PROBLEM_RESPONSE('The content breaks a rule; `errors` names every field.'))
  explain(
    @Param('id', uuidParameter) id: string,
    @Body() body: ExplainSignatureDto,
    @CurrentActor() actor: Actor,
  ): Promise<SignatureExplanationDto> {
    return this.signatures.explain(id, body, actor);
  }
}

import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import {
  ApiConflictResponse,
  ApiExtraModels,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  ApiUnprocessableEntityResponse,
  getSchemaPath,
} from '@nestjs/swagger';
import { Allow } from '../../access/allow.decorator.js';
import { CurrentActor, type Actor } from '../../access/audit-entry.js';
import { PROBLEM_RESPONSE } from '../../http/problem-response.js';
import { uuidParameter } from '../../http/uuid.pipe.js';
import { ExplainSignatureDto, SignatureComparisonDto, SignatureExplanationDto } from './signature.dto.js';
import { SignatureService } from './signature.service.js';

@ApiTags('consumers')
@ApiExtraModels(SignatureExplanationDto, SignatureComparisonDto)
@Controller({ path: 'consumers/:id/explain-signature', version: '1' })
export class SignatureController {
  constructor(private readonly signatures: SignatureService) {}

  @Post()
  @HttpCode(200)
  @Allow('oncall')
  @ApiOperation({
    summary: 'Explain a signature',
    description:
      'For an attempt of a delivery: the exact string that is signed, its parts and the signature. For a pasted body, ' +
      'timestamp and the signature that the consumer has computed: whether that one matches, and if not which variation ' +
      'of URL, timestamp, body, order of the parts or secret it comes of, two at once at most. It answers no signature ' +
      'for a text that is no notification of this consumer, and never the secret. Who asked is kept in the audit log, ' +
      'with the URL, a digest of the body and the finding.',
    operationId: 'explainSignature',
  })
  @ApiOkResponse({
    schema: {
      oneOf: [
        { $ref: getSchemaPath(SignatureExplanationDto) },
        { $ref: getSchemaPath(SignatureComparisonDto) },
      ],
    },
  })
  @ApiNotFoundResponse(PROBLEM_RESPONSE('There is no such consumer, delivery of it, or attempt.'))
  @ApiConflictResponse(
    PROBLEM_RESPONSE('The delivery has not been tried, or the secret cannot be decrypted.'),
  )
  @ApiUnprocessableEntityResponse(PROBLEM_RESPONSE('The content breaks a rule; `errors` names every field.'))
  explain(
    @Param('id', uuidParameter) id: string,
    @Body() body: ExplainSignatureDto,
    @CurrentActor() actor: Actor,
  ): Promise<SignatureExplanationDto | SignatureComparisonDto> {
    return this.signatures.answer(id, body, actor);
  }
}

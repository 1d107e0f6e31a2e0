import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { CurrentActor, type Actor } from '../../../access/audit-entry.js';
import { FailuresQueryDto } from './failures.dto.js';
import { TestConsumerDto } from './test-delivery.dto.js';
import { CompareOwnSignatureDto, SignatureComparisonDto } from '../signature/signature.dto.js';
import { INVALID_CONTENT, INVALID_PARAMETER, Refuses } from '../../../http/refuses.js';
import { ExplainSignature } from '../signature/explain-signature.js';
import { OwnConsumer } from '../../../access/portal/own-consumer.decorator.js';
import { Portal } from '../../../access/portal/portal-route.decorator.js';
import { PortalDiagnosisService } from './portal-diagnosis.service.js';
import { PortalFailureListDto, PortalTestDto, VerificationExampleDto } from './portal-diagnosis.dto.js';

@Portal()
@Controller({ path: 'portal', version: '1' })
export class PortalDiagnosisController {
  constructor(
    private readonly diagnosis: PortalDiagnosisService,
    private readonly signature: ExplainSignature,
  ) {}

  @Get('failures')
  @ApiOperation({
    summary: 'Recent failures of the own server by cause, with advice',
    description: 'Evaluates the newest failed attempts of the period, at most 5,000.',
    operationId: 'listPortalFailures',
  })
  @ApiOkResponse({ type: PortalFailureListDto })
  @Refuses({ 400: INVALID_PARAMETER })
  failures(
    @OwnConsumer() consumerId: string,
    @Query() query: FailuresQueryDto,
  ): Promise<PortalFailureListDto> {
    return this.diagnosis.failures(consumerId, query);
  }

  @Post('test')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Send a test delivery to the own server now',
    description:
      'Sends a marked sample, whose ids begin with `TEST-`, signed like every notification. It is not a delivery: ' +
      'it is not stored, retried or held, and it is sent during a pause too. At most 6 in a minute, one at a time.',
    operationId: 'sendPortalTest',
  })
  @ApiOkResponse({ type: PortalTestDto })
  @Refuses({
    409: 'A test is under way, there is no coming version to test, or the bank cannot read the credentials.',
    422: INVALID_CONTENT,
    503: 'The bank cannot send at the moment, or its database is unreachable.',
  })
  test(
    @OwnConsumer() consumerId: string,
    @Body() body: TestConsumerDto,
    @CurrentActor() actor: Actor,
  ): Promise<PortalTestDto> {
    return this.diagnosis.test(consumerId, body, actor);
  }

  @Get('verification-example')
  @ApiOperation({
    summary: 'Show how the last own notification was signed',
    description:
      'The exact text that was signed, its parts, the headers and the signature, to compare with the own computation. ' +
      'It never contains the secret.',
    operationId: 'readPortalVerificationExample',
  })
  @ApiOkResponse({ type: VerificationExampleDto })
  @Refuses({ 409: 'Nothing was sent yet, or the bank cannot read the credentials.' })
  verificationExample(
    @OwnConsumer() consumerId: string,
    @CurrentActor() actor: Actor,
  ): Promise<VerificationExampleDto> {
    return this.diagnosis.verificationExample(consumerId, actor);
  }

  @Post('compare-signature')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Compare an own signature with the expected one',
    description:
      'Finds whether the signature matches the text, and if not, which variation of URL, timestamp, body, order of the ' +
      'parts or secret it results from. The answer contains neither the secret nor a computed signature.',
    operationId: 'comparePortalSignature',
  })
  @ApiOkResponse({ type: SignatureComparisonDto })
  @Refuses({ 409: 'The bank cannot read the credentials.', 422: INVALID_CONTENT })
  async compare(
    @OwnConsumer() consumerId: string,
    @Body() body: CompareOwnSignatureDto,
    @CurrentActor() actor: Actor,
  ): Promise<SignatureComparisonDto> {
    return { kind: 'comparison', ...(await this.signature.ofPasted(consumerId, body, actor)) };
  }
}

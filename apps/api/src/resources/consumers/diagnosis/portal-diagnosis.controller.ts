import { Body, Get, Query } from '@nestjs/common';
import { CurrentActor, type Actor } from '../../../access/audit-entry.js';
import { FailuresQueryDto } from './failures.dto.js';
import { TestConsumerDto } from './test-delivery.dto.js';
import { CompareOwnSignatureDto, SignatureComparisonDto } from '../signature/signature.dto.js';
import { Action, Refuses } from '../../../http/routes.js';
import { ExplainSignature } from '../signature/explain-signature.js';
import { OwnConsumer } from '../../../access/portal/own-consumer.decorator.js';
import { Portal } from '../../../access/portal/portal-route.decorator.js';
import { PortalDiagnosisService } from './portal-diagnosis.service.js';
import { PortalFailureListDto, PortalTestDto, VerificationExampleDto } from './portal-diagnosis.dto.js';

@Portal()
export class PortalDiagnosisController {
  constructor(
    private readonly diagnosis: PortalDiagnosisService,
    private readonly signature: ExplainSignature,
  ) {}

  /**
   * Recent failures of the own server by cause, with advice
   * @remarks Evaluates the newest failed attempts of the period, at most 5,000.
   */
  @Get('failures')
  listPortalFailures(
    @OwnConsumer() consumerId: string,
    @Query() query: FailuresQueryDto,
  ): Promise<PortalFailureListDto> {
    return this.diagnosis.failures(consumerId, query);
  }

  /**
   * Send a test delivery to the own server now
   * @remarks Sends a marked sample, whose ids begin with `TEST-`, signed like every notification. It is not a
   * delivery: it is not stored, retried or held, and it is sent during a pause too. At most 6 in a minute, one at a
   * time.
   */
  @Action('test')
  @Refuses({
    409: 'A test is under way, there is no coming version to test, or the bank cannot read the credentials.',
    503: 'The bank cannot send at the moment, or its database is unreachable.',
  })
  sendPortalTest(
    @OwnConsumer() consumerId: string,
    @Body() body: TestConsumerDto,
    @CurrentActor() actor: Actor,
  ): Promise<PortalTestDto> {
    return this.diagnosis.test(consumerId, body, actor);
  }

  /**
   * Show how the last own notification was signed
   * @remarks The exact text that was signed, its parts, the headers and the signature, to compare with the own
   * computation. It never contains the secret.
   */
  @Get('verification-example')
  @Refuses({ 409: 'Nothing was sent yet, or the bank cannot read the credentials.' })
  readPortalVerificationExample(
    @OwnConsumer() consumerId: string,
    @CurrentActor() actor: Actor,
  ): Promise<VerificationExampleDto> {
    return this.diagnosis.verificationExample(consumerId, actor);
  }

  /**
   * Compare an own signature with the expected one
   * @remarks Finds whether the signature matches the text, and if not, which variation of URL, timestamp, body, order
   * of the parts or secret it results from. The answer contains neither the secret nor a computed signature.
   */
  @Action('compare-signature')
  @Refuses({ 409: 'The bank cannot read the credentials.' })
  async comparePortalSignature(
    @OwnConsumer() consumerId: string,
    @Body() body: CompareOwnSignatureDto,
    @CurrentActor() actor: Actor,
  ): Promise<SignatureComparisonDto> {
    return { kind: 'comparison', ...(await this.signature.ofPasted(consumerId, body, actor)) };
  }
}

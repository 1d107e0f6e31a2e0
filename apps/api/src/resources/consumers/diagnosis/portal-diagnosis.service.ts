import { OwnDeliveriesRepository } from '#libs/database';
import { adviceForConsumer } from '#libs/policy';
import { ConflictException, Injectable } from '@nestjs/common';
import type { Actor } from '../../../access/audit-entry.js';
import type { FailuresQueryDto } from './failures.dto.js';
import { failuresOf } from './failures.service.js';
import type { TestConsumerDto } from './test-delivery.dto.js';
import { ExplainSignature } from '../signature/explain-signature.js';
import { TestConsumer } from './test-consumer.js';
import { PortalLimits } from '../../../access/portal/portal-limits.service.js';
import type { PortalFailureListDto, PortalTestDto, VerificationExampleDto } from './portal-diagnosis.dto.js';

/** What a consumer's people need to correct their server: failures, test deliveries and the signature. */
@Injectable()
export class PortalDiagnosisService {
  constructor(
    private readonly own: OwnDeliveriesRepository,
    private readonly limits: PortalLimits,
    private readonly testConsumer: TestConsumer,
    private readonly explainSignature: ExplainSignature,
  ) {}

  async failures(consumerId: string, query: FailuresQueryDto): Promise<PortalFailureListDto> {
    const { period, groups } = await failuresOf(query, (of) => this.own.failures(consumerId, of));
    return {
      ...period,
      failures: groups.map(({ outcome, httpStatus, clockSkewMs, lastDetail, ...group }) => ({
        outcome,
        httpStatus,
        count: group.count,
        deliveries: group.deliveries,
        firstAt: group.firstAt.toISOString(),
        lastAt: group.lastAt.toISOString(),
        advice: adviceForConsumer({ outcome, httpStatus, detail: lastDetail, clockSkewMs }),
        lastDeliveryId: group.lastDeliveryId,
      })),
    };
  }

  /** Sends a test delivery, within the limits of the portal. */
  async test(consumerId: string, body: TestConsumerDto, actor: Actor): Promise<PortalTestDto> {
    const tested = await this.limits.test(consumerId, () =>
      this.testConsumer.execute(consumerId, body, actor),
    );
    const { exchange } = tested;
    const { outcome, httpStatus, detail, clockSkewMs } = exchange;
    return {
      notificationId: tested.notificationId,
      eventType: tested.eventType,
      body: tested.body,
      url: tested.url,
      credentialVersion: tested.credentialVersion,
      startedAt: exchange.sentAt.toISOString(),
      durationMs: exchange.durationMs,
      outcome,
      httpStatus,
      advice: adviceForConsumer({ outcome, httpStatus, detail, clockSkewMs }),
      requestHeaders: { ...exchange.requestHeaders },
      responseHeaders: exchange.responseHeaders === null ? null : { ...exchange.responseHeaders },
      responseBody: exchange.responseBody,
      responseTruncated: exchange.responseTruncated,
      clockSkewMs,
    };
  }

  /** @throws ConflictException when nothing was sent yet, or the secret cannot be decrypted */
  async verificationExample(consumerId: string, actor: Actor): Promise<VerificationExampleDto> {
    // It is audited, so it counts as a change.
    await this.limits.countChange(consumerId);
    const last = await this.own.lastSent(consumerId);
    if (last === undefined)
      throw new ConflictException('Nothing has been sent to you yet. Send a test delivery first.');
    const { notes: _notes, ...signed } = await this.explainSignature.ofAttempt(
      consumerId,
      { deliveryId: last.id },
      actor,
    );
    return { ...signed, deliveryId: last.id, notificationId: last.event_id };
  }
}

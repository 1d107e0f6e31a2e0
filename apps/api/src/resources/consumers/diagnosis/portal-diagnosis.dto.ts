import type { Uuid } from '#libs/contracts';
import { IntersectionType, OmitType, PickType } from '@nestjs/swagger';
import { FailureGroupDto, FailureListDto } from './failures.dto.js';
import { TestDeliveryDto } from './test-delivery.dto.js';
import { SignedNotificationDto } from '../signature/signature.dto.js';
import { PortalAttemptDto } from '../../deliveries/portal-delivery.dto.js';

/** Failed attempts with one cause. */
export class PortalFailureDto extends PickType(FailureGroupDto, [
  'outcome',
  'httpStatus',
  'count',
  'deliveries',
  'firstAt',
  'lastAt',
  'lastDeliveryId',
]) {
  /**
   * What the server did, and the recommended next step.
   * @example "Your server answered 503: it is unavailable. Check whether it runs and is not overloaded."
   */
  advice!: string;
}

export class PortalFailureListDto extends PickType(FailureListDto, [
  'from',
  'to',
  'attemptsSeen',
  'attemptsAreCapped',
]) {
  /** The most frequent cause first. */
  failures!: PortalFailureDto[];
}

/** A test delivery, and the answer of the consumer's server. */
export class PortalTestDto extends IntersectionType(
  PickType(TestDeliveryDto, ['notificationId', 'eventType', 'body']),
  OmitType(PortalAttemptDto, ['number', 'probe']),
) {}

/** How the consumer's last notification was signed, without the secret. */
export class VerificationExampleDto extends SignedNotificationDto {
  deliveryId!: Uuid;

  notificationId!: Uuid;
}

import { expect, it } from '@jest/globals';
import {
  ApiKeysQueryDto,
  CreateApiKeyDto,
  CreateConsumerKeyDto,
  CreateOwnKeyDto,
} from '../access/api-key.dto.js';
import { AuditQueryDto } from '../resources/audit/audit.dto.js';
import { StartBulkActionDto } from '../resources/bulk-actions/start-bulk-action.dto.js';
import { AddCredentialsDto } from '../resources/consumers/credentials/credentials.dto.js';
import { RegisterConsumerDto } from '../resources/consumers/register-consumer.dto.js';
import { ExplainSignatureDto } from '../resources/consumers/signature/signature.dto.js';
import { FailuresQueryDto } from '../resources/consumers/diagnosis/failures.dto.js';
import { TestConsumerDto } from '../resources/consumers/diagnosis/test-delivery.dto.js';
import { UpdateConsumerDto } from '../resources/consumers/update-consumer.dto.js';
import { RetryDeliveryDto } from '../resources/deliveries/delivery-actions.dto.js';
import { DeliveriesQueryDto } from '../resources/deliveries/deliveries-query.dto.js';
import { EventsQueryDto } from '../resources/events/events-query.dto.js';
import { SendEventDto } from '../resources/events/send-event.dto.js';
import { NotificationsQueryDto } from '../resources/notifications/notifications-query.dto.js';
import { StatsQueryDto } from '../system/stats/stats-query.dto.js';
import { PaymentsQueryDto } from '../resources/payments/payments-query.dto.js';
import fc from 'fast-check';
import { anyValue, mutation } from '../../../../libs/contracts/testing/arbitrary-fault.js';
import {
  declaredFields,
  expectAgreement,
  isCompiled,
  type Dto,
} from '../../../../libs/contracts/testing/expect-agreement.js';

const UUID = '01939e1c-7d5a-7cc3-8a52-4b3f7a1d2e90';
const INSTANT = '2025-11-20T09:30:00Z';
const FUTURE = '2999-11-20T09:30:00+01:00';
const reason = 'ticket 4711';

/** The classes of bodies and queries, each with a valid example. */
const DTOS: [Dto, object][] = [
  [
    RegisterConsumerDto,
    {
      name: 'Acme',
      url: 'https://consumer.example/hook',
      contact: 'integration@acme.example',
      eventTypes: ['ach.status', 'wire.status'],
      achCompanyIds: ['1234567890', '2'],
      allPayments: false,
      credentials: { username: 'bank', password: 'long and random' },
      signingSecret: 'a secret of 16 or more characters',
      timestampUnit: 'seconds',
      timeoutMs: 10_000,
      retrySchedule: [1, 60],
    },
  ],
  [UpdateConsumerDto, { name: 'Acme', contact: null, eventTypes: ['ach.status'], retrySchedule: null }],
  [AddCredentialsDto, { username: 'bank', password: 'long and random' }],
  [ExplainSignatureDto, { deliveryId: UUID, attempt: 2, timestamp: '1700000000', signature: 'f'.repeat(64) }],
  [TestConsumerDto, { eventType: 'ach.status' }],
  [
    StartBulkActionDto,
    { reason, action: 'retry', filter: { state: 'dead', from: INSTANT }, dryRun: true, expectedCount: 3 },
  ],
  [SendEventDto, { reason, consumers: [UUID, 'acme'] }],
  [RetryDeliveryDto, { reason }],
  [CreateApiKeyDto, { name: 'hub', roles: ['producer', 'viewer'], expiresAt: FUTURE }],
  [CreateConsumerKeyDto, { name: 'hub', expiresAt: FUTURE }],
  [CreateOwnKeyDto, { name: 'hub', expiresAt: FUTURE }],
  [DeliveriesQueryDto, { offset: 0, limit: 10, consumerId: UUID, settled: true, from: INSTANT }],
  [EventsQueryDto, { limit: 10, from: INSTANT }],
  [NotificationsQueryDto, { limit: 1_000 }],
  [PaymentsQueryDto, { offset: 5 }],
  [ApiKeysQueryDto, { name: 'hub' }],
  [AuditQueryDto, { limit: 10 }],
  [FailuresQueryDto, { from: INSTANT, to: FUTURE }],
  [StatsQueryDto, { consumerId: UUID, from: INSTANT }],
];

const likely = fc.constantFrom<unknown>(
  UUID,
  INSTANT,
  FUTURE,
  '10',
  10,
  'acme',
  'ach.status',
  'dead',
  ['acme'],
  true,
);

it.each(DTOS)(
  'checks a valid %p without class-validator, and agrees with class-validator on every value',
  (dto, valid) => {
    expect(isCompiled(dto)).toBe(true);
    expect(expectAgreement(dto, valid)).toBe(true);
    const fields = [...declaredFields(dto).keys()].map((name) => [name, fc.oneof(likely, anyValue)] as const);
    const some: fc.Arbitrary<object> = fc.record(Object.fromEntries(fields), { requiredKeys: [] });
    fc.assert(
      fc.property(some, mutation, (changed, mutate) => {
        expectAgreement(dto, changed);
        expectAgreement(dto, { ...valid, ...changed });
        expectAgreement(dto, mutate(valid));
      }),
    );
  },
);

import { adviceFor, adviceForConsumer } from '#libs/policy';
import type { Scope } from '../../../access/scope.js';
import type { ConsumerTested } from './test-consumer.js';
import type { TestDeliveryDto } from './test-delivery.dto.js';

/** A test delivery in the API's form. The detail can name addresses of the bank, and is only for its people. */
export function testDeliveryView({ exchange, ...tested }: ConsumerTested, scope: Scope): TestDeliveryDto {
  const isOwn = scope.consumerId !== undefined;
  const { responseHeaders, responseBody } = exchange;
  return {
    ...tested,
    requestHeaders: { ...exchange.requestHeaders },
    startedAt: exchange.sentAt.toISOString(),
    durationMs: exchange.durationMs,
    outcome: exchange.outcome,
    httpStatus: exchange.httpStatus,
    remoteAddress: isOwn ? null : exchange.remoteAddress,
    detail: isOwn ? null : exchange.detail,
    advice: isOwn ? adviceForConsumer(exchange) : adviceFor({ ...exchange, answer: responseBody }),
    responseHeaders: responseHeaders === null ? null : { ...responseHeaders },
    responseBody,
    responseTruncated: exchange.responseTruncated,
    clockSkewMs: exchange.clockSkewMs,
  };
}

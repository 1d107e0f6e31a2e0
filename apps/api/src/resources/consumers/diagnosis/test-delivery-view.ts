import type { ConsumerTested } from './test-consumer.js';
import type { TestDeliveryDto } from './test-delivery.dto.js';

/** A test delivery in the API's form. */
export const testDeliveryView = ({ exchange, ...tested }: ConsumerTested): TestDeliveryDto => ({
  ...tested,
  requestHeaders: { ...exchange.requestHeaders },
  startedAt: exchange.sentAt.toISOString(),
  durationMs: exchange.durationMs,
  outcome: exchange.outcome,
  httpStatus: exchange.httpStatus,
  detail: exchange.detail,
  responseHeaders: exchange.responseHeaders === null ? null : { ...exchange.responseHeaders },
  responseBody: exchange.responseBody,
  responseTruncated: exchange.responseTruncated,
  clockSkewMs: exchange.clockSkewMs,
});

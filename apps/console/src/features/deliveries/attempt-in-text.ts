import type { Schema } from '../../api';
import { outcomeInWords } from '../../formats';
import { nameOf, type Delivery } from './delivery-commands';

/**
 * One attempt as a text for a mail, with times in UTC: what proves to a consumer that its server was sent the notification,
 * and what it answered. It has no secret; the headers are those that are kept.
 */
export function attemptInText(delivery: Delivery, attempt: Schema<'AttemptDto'>): string {
  const { outcome, httpStatus, url, startedAt, durationMs, remoteAddress, responseBody } = attempt;
  return [
    `${nameOf(delivery)}, attempt ${String(attempt.number)}`,
    `notificationId: ${delivery.notificationId}`,
    '',
    `POST ${url}`,
    `Sent at ${startedAt}${remoteAddress === null ? '' : ` to the address ${remoteAddress}`}`,
    ...linesOf(attempt.requestHeaders),
    '',
    `${outcomeInWords(outcome, httpStatus)} after ${String(durationMs)} ms`,
    ...linesOf(attempt.responseHeaders ?? {}),
    ...(responseBody === null || responseBody === '' ? [] : ['', responseBody]),
  ].join('\n');
}

const linesOf = (headers: Readonly<Record<string, string>>): string[] =>
  Object.entries(headers).map(([name, value]) => `${name}: ${value}`);

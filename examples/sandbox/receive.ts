import { createHash, createHmac } from 'node:crypto';
import {
  verifyNotification,
  type NotificationRequest,
  type Refusal,
} from '#verifiers/typescript/verify-notification';
import { verifyBasic } from '#libs/signing';

/** How the receiver answers a genuine notification. */
export const BEHAVIOURS = ['healthy', 'slow', 'failing', 'gone', 'wrong-secret'] as const;
export type Behaviour = (typeof BEHAVIOURS)[number];

/** What was agreed with the bank. */
export interface Agreement {
  readonly url: string;
  readonly secret: string;
  readonly user: string;
  readonly password: string;
  readonly unit: 'seconds' | 'milliseconds';
}

/** The answer to a request, and the lines to print about it. */
export interface Received {
  readonly status: number;
  readonly lines: readonly string[];
}

/** A request as it arrived. `path` has the query. */
export interface ArrivedRequest extends Omit<NotificationRequest, 'url'> {
  readonly path: string;
}

/**
 * The check of a consumer: Basic credentials, time and signature. A genuine notification is answered according to the
 * behaviour, and one that was acknowledged before is recognised by its notificationId.
 */
export function createReceiver(
  agreement: Agreement,
  behaviour: Behaviour,
): (request: ArrivedRequest) => Received {
  const acknowledged = new Set<string>();
  const secret = behaviour === 'wrong-secret' ? `${agreement.secret}-wrong` : agreement.secret;

  return (request) => {
    const refused = refusalOf(request, { ...agreement, secret });
    if (refused !== null) return { status: 401, lines: refused };
    const { notificationId, words } = contentOf(request.rawBody);
    const status = answerOf(behaviour);
    const isRepeated = acknowledged.has(notificationId);
    if (status < 300) acknowledged.add(notificationId);
    return {
      status,
      lines: [
        `genuine: ${words}, answered ${String(status)}`,
        ...(isRepeated ? ['  It was acknowledged before: a consumer ignores it and answers 2xx.'] : []),
      ],
    };
  };
}

function answerOf(behaviour: Behaviour): number {
  switch (behaviour) {
    case 'healthy':
    case 'slow':
    case 'wrong-secret':
      return 204;
    case 'failing':
      return 500;
    case 'gone':
      return 410;
  }
}

/** The reason of a refusal and what to look at; null for a genuine notification. */
function refusalOf(request: ArrivedRequest, agreement: Agreement): string[] | null {
  const { url, secret, unit, user, password } = agreement;
  const authorization = request.headers['authorization'];
  if (!verifyBasic(typeof authorization === 'string' ? authorization : undefined, user, password))
    return [
      'refused with 401: credentials_wrong',
      `  Authorization is ${authorization === undefined ? 'missing' : `not the one of the user “${user}” with this password`}.`,
    ];
  const verdict = verifyNotification({ ...request, url }, { secret, unit });
  return verdict === 'ok' ? null : [`refused with 401: ${verdict}`, ...hints(verdict, request, agreement)];
}

function hints(
  verdict: Refusal,
  { headers, method, path, rawBody }: ArrivedRequest,
  agreement: Agreement,
): string[] {
  const { url, secret, unit } = agreement;
  const timestamp = String(headers['x-timestamp'] ?? '');
  switch (verdict) {
    case 'timestamp_missing':
    case 'timestamp_malformed':
      return [`  x-timestamp is “${timestamp}”; expected are 1 to 16 digits.`];
    case 'signature_missing':
    case 'signature_malformed':
      return [
        `  x-signature is “${String(headers['x-signature'] ?? '')}”; expected are 64 characters of 0-9a-f.`,
      ];
    case 'timestamp_too_old':
    case 'timestamp_ahead': {
      const clock = unit === 'seconds' ? Math.floor(Date.now() / 1_000) : Date.now();
      return [
        `  x-timestamp is ${timestamp}; this clock is at ${String(clock)} ${unit}, and 300 seconds are tolerated.`,
      ];
    }
    case 'signature_wrong': {
      const computed = createHmac('sha256', secret)
        .update(method + url)
        .update(rawBody)
        .update(timestamp)
        .digest('hex');
      const sha256 = createHash('sha256').update(rawBody).digest('hex');
      const { pathname, search } = new URL(url);
      return [
        `  Computed: ${computed}`,
        `  over      ${method}`,
        `            ${url}`,
        `            the body: ${String(rawBody.length)} bytes, SHA-256 ${sha256}`,
        `            ${timestamp}`,
        path === pathname + search
          ? '  The secret differs, or a proxy has changed the body.'
          : `  The request came to ${path}. Is --url the registered URL?`,
      ];
    }
  }
}

/** The notification's id, and what it reports. It is genuine, so its shape is known. */
function contentOf(rawBody: Uint8Array): { notificationId: string; words: string } {
  const envelope: {
    notificationId: string;
    eventType: string;
    data: {
      achEventInfo?: { transactionId: string; status: string };
      wireEventInfo?: { paymentId?: string; status?: string };
    };
  } = JSON.parse(Buffer.from(rawBody).toString());
  const { achEventInfo, wireEventInfo } = envelope.data;
  const payment = achEventInfo?.transactionId ?? wireEventInfo?.paymentId ?? 'without an id';
  const status = achEventInfo?.status ?? wireEventInfo?.status ?? 'without a status';
  return {
    notificationId: envelope.notificationId,
    words: `${envelope.eventType} ${status}, payment ${payment}, notificationId ${envelope.notificationId}`,
  };
}

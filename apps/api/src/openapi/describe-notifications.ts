import { EVENT_TYPES, VERSION, type EventType } from '#libs/contracts';
import { DEFAULT_RETRY_SCHEDULE_MS, MAX_RETRY_AFTER_MS } from '#libs/policy';
import { referenceTo, type ApiDocument, type Operation } from './api-document.js';
import { EVENT_KINDS } from './discriminate-events.js';
import { addNotification } from './notification-schemas.js';

const HOUR_MS = 3_600_000;
const ATTEMPTS = DEFAULT_RETRY_SCHEDULE_MS.length + 1;
const HOURS = Math.round(DEFAULT_RETRY_SCHEDULE_MS.reduce((sum, wait) => sum + wait, 0) / HOUR_MS);

/** How a consumer knows that a request is genuine: both schemes at once. */
const SECURITY_SCHEMES = {
  basic: {
    type: 'http',
    scheme: 'basic',
    description: 'The user name and the password that were agreed, in UTF-8 (RFC 7617).',
  },
  signature: {
    type: 'apiKey',
    in: 'header',
    name: 'x-signature',
    description:
      'HMAC-SHA256 as 64 lower-case hexadecimal digits, keyed with the UTF-8 bytes of the signing secret, over four parts ' +
      'with nothing between: `POST`, the URL as registered, the raw body, and the value of `x-timestamp`. Compare in ' +
      'constant time, before the body is parsed, and refuse a timestamp more than 300 seconds off in either direction.',
  },
};

/** The headers besides those of the media type and the security schemes. */
const HEADERS: Operation['parameters'] = [
  {
    name: 'x-timestamp',
    in: 'header',
    required: true,
    description:
      'When this attempt was sent: Unix time in seconds, or in milliseconds where that was agreed. Signed.',
    schema: { type: 'string', pattern: '^[0-9]+$' },
    example: '1763631000',
  },
  {
    name: 'user-agent',
    in: 'header',
    required: true,
    description: 'Name and version of the dispatcher.',
    schema: { type: 'string' },
    example: `payment-notification-dispatcher/${VERSION}`,
  },
  {
    name: 'traceparent',
    in: 'header',
    required: false,
    description: 'The trace that the notification belongs to (W3C Trace Context), if it has one. Not signed.',
    schema: { type: 'string' },
  },
];

/** What follows from an answer (`decide` in libs/policy). */
const ANSWERS: Operation['responses'] = {
  '2XX': {
    description:
      'Acknowledged, if the status line arrives in time: within 10 seconds, or 1 to 30 seconds as agreed. The notification is ' +
      'not sent again. The body of the answer is not used.',
  },
  '410': {
    description:
      'Nothing more is sent to this consumer until an operator resumes it. The notification is kept until then.',
  },
  default: {
    description:
      'Not acknowledged, like a redirect, an answer that comes too late, and no answer. The notification is sent again: ' +
      `${String(ATTEMPTS)} attempts over about ${String(HOURS)} hours unless agreed otherwise. No other answer ends them early.`,
    headers: {
      'Retry-After': {
        description: `Lengthens the wait before the next attempt, to at most ${String(MAX_RETRY_AFTER_MS / HOUR_MS)} hours: seconds or a date (RFC 9110).`,
        schema: { type: 'string' },
      },
    },
  },
};

/**
 * Adds a webhook for each type of event: consumers receive what producers post, with a notificationId before it, without
 * `consumers`, and without the bounds of requests. Changes the document in place.
 */
export function describeNotifications(document: ApiDocument): void {
  const { schemas, securitySchemes } = document.components;
  Object.assign(securitySchemes, SECURITY_SCHEMES);
  document.webhooks = Object.fromEntries(
    EVENT_TYPES.map((eventType) => [
      eventType,
      { post: receive(eventType, addNotification(eventType, schemas)) },
    ]),
  );
}

/** @param schema its name */
const receive = (eventType: EventType, schema: string): Operation => ({
  operationId: `receive${schema}`,
  tags: ['notifications'],
  summary: `What a consumer receives when ${EVENT_KINDS[eventType].payment} changes its status`,
  description:
    `Sent to the URL of each consumer that subscribes to \`${eventType}\`, at least once. Process a \`notificationId\` only ` +
    'once, and answer 2xx to one that you know. Also answer 2xx to an event type that you do not know. The schema as a file: ' +
    `\`GET /v1/schemas/${eventType}\`.`,
  security: [{ basic: [], signature: [] }],
  parameters: structuredClone(HEADERS),
  requestBody: { required: true, content: { 'application/json': { schema: { $ref: referenceTo(schema) } } } },
  responses: structuredClone(ANSWERS),
});

import { achExample, maskEnvelope, wireExample } from '#libs/contracts';

const AT = '2025-11-20T09:30:00.000Z';
const SOON = '2025-11-20T09:30:02.000Z';
const ID = '0199c2f2-7b5e-7c3a-8f00-000000000001';
const URL = 'https://consumer.example/ach-payments-api/v1/hook';
const BODY = '{"eventType":"ach.status"}';

/** An envelope with masked account numbers. */
const ENVELOPE: unknown = JSON.parse(maskEnvelope(JSON.stringify({ notificationId: ID, ...achExample() })));

const REQUEST_HEADERS = {
  'content-type': 'application/json',
  authorization: '[redacted]',
  'x-timestamp': '1763631000',
  'x-signature': '6964a30a8ba691eb862b88dcaf7c2a711898b436a662c3e2e1cfbef65bdb2dcd',
};

/** Example values by the format of a text. */
export const BY_FORMAT = { uuid: ID, 'date-time': AT, uri: URL } as const;

/** Example values by the name of the field, in any schema. */
export const BY_FIELD: Readonly<Record<string, unknown>> = {
  achCompanyIds: ['1234567890'],
  actor: 'payments-desk',
  address: '198.51.100.7',
  advice: 'Ask the consumer to check its server; the delivery is tried again in 30 s.',
  agrees: true,
  apiKey: 'pnd_…',
  body: BODY,
  cause: null,
  circuit: null,
  contact: 'integration@acme.example',
  consumerName: 'Acme Corporation',
  createdBy: 'payments-desk',
  credentialVersion: 1,
  detail: 'HTTP 503',
  durationMs: 182,
  envelope: ENVELOPE,
  expiresAt: AT,
  externalId: 'acme',
  fingerprint: 'AB:CD:EF:01:23:45:67:89',
  headers: REQUEST_HEADERS,
  host: 'worker-1',
  httpStatus: 503,
  issuer: 'CN=Example Issuing Authority',
  lastDetail: 'HTTP 503',
  location: 'https://login.bank.example/authorize?client_id=dispatcher',
  maxConcurrency: 64,
  name: 'Acme Corporation',
  newestStatus: 'NOTICE_OF_CHANGE',
  notes: [],
  notices: [],
  notification: null,
  paymentId: 'ACH-2025-000001',
  pid: 4711,
  producer: 'payments-hub',
  reason: 'the consumer asked for it, ticket 4711',
  requestHeaders: REQUEST_HEADERS,
  responseBody: '{"status":"received"}',
  responseHeaders: { 'content-type': 'application/json' },
  retrySchedule: [5, 30, 120],
  serialNumber: '04D2',
  settlement: null,
  signingSecret: 'whsec_at-least-16-characters',
  signature: REQUEST_HEADERS['x-signature'],
  status: 'NOTICE_OF_CHANGE',
  stringToSign: `POST${URL}${BODY}1763631000`,
  summary: 'Every attempt is acknowledged.',
  timeoutMs: 10_000,
  troubleTotal: 1,
  traceNumber: '021000020000001',
  until: AT,
  url: URL,
  wireCompanyIds: ['WIRECO-001'],
};

/** A delivery that was acknowledged. */
const DELIVERED = {
  state: 'delivered',
  attemptCount: 1,
  lastOutcome: 'acknowledged',
  lastHttpStatus: 200,
  firstAttemptAt: SOON,
  finishedAt: SOON,
  endReason: 'acknowledged',
};
const ACKNOWLEDGED = {
  outcome: 'acknowledged',
  httpStatus: 200,
  detail: 'HTTP 200',
  advice: 'Nothing to do.',
};
const RECIPIENTS = { total: 1, delivered: 1 };

/**
 * Example values by the name of the schema: the fields that differ, or the whole value for a schema with
 * alternatives.
 */
export const BY_SCHEMA: Readonly<Record<string, object>> = {
  AchNotification: { notificationId: ID, ...achExample() },
  AchStatusChangeDto: achExample(),
  WireNotification: { notificationId: ID, ...wireExample() },
  WireStatusChangeDto: wireExample(),
  AchBatchItemDto: { ...achExample(), idempotencyKey: 'hub-4711' },
  AddCredentialsDto: { password: 'a long random text', activateAt: AT },
  AddPortalCredentialsDto: { password: 'a long random text', activateAt: AT },
  ApiKeyDto: { name: 'payments-hub', roles: ['producer'] },
  ApiKeyCreatedDto: { name: 'payments-hub', roles: ['producer'] },
  AttemptDto: ACKNOWLEDGED,
  AuditEntryDto: { before: { maxPerSecond: null }, after: { maxPerSecond: 50 } },
  BatchItemResultDto: { status: 'accepted', notificationId: ID, duplicate: false },
  BulkActionDto: { matched: 120, processed: 80, changed: 80 },
  BulkFilterDto: { state: 'dead', consumerId: ID },
  BulkPreviewDto: { matched: 120 },
  CertificateDto: { notAfter: '2025-12-31T00:00:00.000Z' },
  CertificateInUseDto: { notAfter: '2025-12-31T00:00:00.000Z' },
  ConsumersInStateDto: { state: 'healthy', count: 12 },
  ConsumerHealthDto: { state: 'healthy', advice: 'Nothing to do.', successShare: 1 },
  ConsumerReportDto: { accepted: 120, delivered: 119, late: 1, p50Ms: 180, p95Ms: 420 },
  ConsumerTroubleDto: {
    health: {
      state: 'down',
      summary: 'The last 12 attempts failed.',
      advice: 'Ask the consumer to check its server.',
      successShare: 0,
      since: AT,
      side: 'theirs',
      failuresInARow: 12,
    },
  },
  DeliveryDetailDto: DELIVERED,
  DeliveryDto: DELIVERED,
  EventDetailDto: { masked: true },
  ExplainSignatureDto: { deliveryId: ID, attempt: 1 },
  IssueDto: {
    kind: 'down',
    state: 'acknowledged',
    summary:
      'The last 12 attempts failed. Deliveries are held, and one of them is tried every 30 s to 15 min.',
    acknowledgedBy: 'payments-desk',
    note: 'called the contact',
  },
  NotificationListDto: { events: [ENVELOPE] },
  PaginationDto: { offset: '1' },
  PartDto: { name: 'postgres' },
  QueueStateDto: { count: 12 },
  QueueAgreementDto: { detail: 'Every consumer with overdue deliveries has a job.' },
  RecipientDto: { state: 'delivered', at: SOON },
  RecipientsDto: RECIPIENTS,
  RegisterConsumerDto: {
    name: 'Acme Corporation',
    externalId: 'acme',
    url: URL,
    contact: 'integration@acme.example',
    eventTypes: ['ach.status', 'wire.status'],
    achCompanyIds: ['1234567890'],
    wireCompanyIds: ['WIRECO-001'],
    credentials: { username: 'bank', password: 'a long random text' },
    paused: true,
  },
  ReportFiguresDto: { accepted: 120, delivered: 119, late: 1, p50Ms: 180, p95Ms: 420 },
  SearchHitDto: { id: 'ACH-2025-000001', matchedBy: 'payment_id' },
  SendEventDto: { consumers: ['acme'] },
  SignatureComparisonDto: { finding: 'variation' },
  SignatureDifferenceDto: { code: 'url_slash', words: 'The URL is signed without its last slash.' },
  SignedPartsDto: { timestamp: '1763631000' },
  StartBulkActionDto: { expectedCount: 120 },
  StartReplayDto: { from: AT, to: SOON, expectedCount: 120 },
  StatsPointDto: { accepted: 42, delivered: 41, attempts: 43, latencyP50Ms: 180, latencyP95Ms: 420 },
  TestDeliveryDto: ACKNOWLEDGED,
  UpdateConsumerDto: { maxPerSecond: 50, contact: 'integration@acme.example' },
};

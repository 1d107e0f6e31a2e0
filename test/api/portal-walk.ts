import { randomUUID } from 'node:crypto';
import type { ApiClient } from '#test/support/api-client';
import { operationsOf, type ApiDocument } from '#test/support/api-document';
import type { Customer } from '#test/support/customer';

const inAnHour = (): string => new Date(Date.now() + 3_600_000).toISOString();

/** Every operation of a consumer's own people in an order in which each succeeds, with the bodies that are not `{}`. */
export const WALK: readonly (readonly [operationId: string, body?: () => object])[] = [
  ['readPortal'],
  ['listDeliveries'],
  ['listFailures'],
  ['readStats'],
  ['explainSignature'],
  ['explainSignature', () => ({ body: '{}', timestamp: '1700000000', signature: '0'.repeat(64) })],
  ['testConsumer'],
  ['addCredentials', () => ({ username: `walk-${randomUUID()}`, activateAt: inAnHour() })],
  ['activateCredentials'],
  ['addCredentials', () => ({ username: `walk-${randomUUID()}`, activateAt: inAnHour() })],
  ['dropCredentials'],
  ['listCredentials'],
  ['createPortalKey', () => ({ name: `key ${randomUUID()}` })],
  ['startPortalReplay', () => ({ from: '2020-01-01T00:00Z', to: '2020-01-02T00:00Z' })],
  [
    'makePortalUrlRequest',
    () => ({ url: `https://wanted.example/${randomUUID()}`, reason: `why ${randomUUID()}` }),
  ],
  [
    'choosePortalAlerts',
    () => ({ kinds: ['replay_done'], recipients: [], url: `https://${randomUUID()}.example/alerts` }),
  ],
  ['testPortalAlerts'],
  ['readPortalAlerts'],
  ['listNotifications'],
  ['listPortalKeys'],
  ['listPortalReplays'],
  ['listPortalUrlRequests'],
  ['readDelivery'],
  ['retryDelivery', () => ({ force: true })],
  ['readPortalReplay'],
  ['stopPortalReplay'],
  ['withdrawPortalUrlRequest'],
  ['revokePortalKey'],
];
/** What the operations that make something make. */
export const MADE: Readonly<Record<string, string>> = {
  addCredentials: 'credentials',
  createPortalKey: 'keys',
  startPortalReplay: 'replays',
  makePortalUrlRequest: 'url-requests',
};

/** One id of each kind, by the part of a path before it. */
export type Ids = Readonly<Record<string, string>>;
/** A consumer, what it has, and the answers that its people got. */
export interface Side {
  readonly customer: Customer;
  readonly portal: ApiClient;
  readonly ids: Record<string, string>;
  readonly sent: string[];
  readonly answers: { operationId: string; status: number; text: string }[];
}

/** Ids of nothing. */
export const unknownIds = (): Record<string, string> => ({
  ...Object.fromEntries(
    'consumers deliveries events keys replays url-requests sign-in-links api-keys bulk-actions channels issues'
      .split(' ')
      .map((kind) => [kind, randomUUID()]),
  ),
  credentials: '99',
  payments: 'ach',
  schemas: 'unknown',
  paymentId: randomUUID(),
});

/** The path with these ids. @throws for a kind of which there is none */
export function pathWith(path: string, ids: Ids): string {
  return path.replaceAll(/([\w-]+\/)?\{(\w+)\}/g, (_, before: string | undefined, name: string) => {
    const id = ids[before?.slice(0, -1) ?? name];
    if (id === undefined) throw new Error(`${path} has an id of an unknown kind`);
    return `${before ?? ''}${id}`;
  });
}

/** A consumer's own people call their operations with the own ids. */
export async function walk(
  document: ApiDocument,
  side: Side,
  isWanted: (operationId: string) => boolean = () => true,
): Promise<void> {
  for (const [operationId, bodyOf = () => ({})] of WALK.filter(([id]) => isWanted(id))) {
    const found = operationsOf(document).find(({ operation }) => operation.operationId === operationId);
    if (found === undefined) throw new Error(`there is no operation ${operationId}`);
    const url =
      pathWith(found.path, side.ids) +
      (/^list(Portal|Deliveries|Notifications)/.test(operationId) ? '?limit=1000' : '');
    const given = ['POST', 'PUT'].includes(found.method) ? bodyOf() : undefined;
    side.sent.push(`${url} ${JSON.stringify(given ?? {})}`);
    const { status, body } = await side.portal.call<Record<string, unknown>>(found.method, url, given);
    side.answers.push({ operationId, status, text: JSON.stringify(body) });
    const made = MADE[operationId];
    if (made !== undefined) side.ids[made] = String(body['id'] ?? body['version']);
  }
}

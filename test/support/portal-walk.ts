import { randomUUID } from 'node:crypto';
import type { ApiAnswer, ApiClient } from '#test/support/api-client';

/** One answer of a portal's route. */
export interface PortalAnswer {
  readonly operation: string;
  readonly status: number;
  readonly text: string;
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Ids of what a consumer has: those of the routes that take an id. */
export interface OwnIds {
  readonly delivery: string;
  readonly key: string;
  readonly replay: string;
  readonly urlRequest: string;
}

/** The routes of the portal that take an id, by operation: method, path and body. */
export const BY_ID = {
  readPortalDelivery: ({ delivery }: OwnIds) => ['GET', `deliveries/${delivery}`],
  resendPortalDelivery: ({ delivery }: OwnIds) => ['POST', `deliveries/${delivery}/resend`, { force: true }],
  readPortalReplay: ({ replay }: OwnIds) => ['GET', `replays/${replay}`],
  stopPortalReplay: ({ replay }: OwnIds) => ['POST', `replays/${replay}/stop`, {}],
  withdrawPortalUrlRequest: ({ urlRequest }: OwnIds) => ['DELETE', `url-requests/${urlRequest}`],
  revokePortalKey: ({ key }: OwnIds) => ['DELETE', `keys/${key}`],
} satisfies Record<string, (ids: OwnIds) => [method: string, path: string, body?: object]>;

/** A consumer's person who uses every route of the portal. */
export class PortalWalk {
  readonly answers: PortalAnswer[] = [];
  private readonly sent: string[] = [];

  constructor(private readonly portal: ApiClient) {}

  /** Every UUID of its requests and answers: all ids of what it has, and a part of every name that it has given. */
  get ids(): ReadonlySet<string> {
    const texts = [...this.sent, ...this.answers.map(({ text }) => text)];
    return new Set(texts.flatMap((text) => text.match(UUID) ?? []));
  }

  /** Calls every route. */
  async everything(delivery: string): Promise<void> {
    await this.get('readPortal', '');
    await this.get('listPortalDeliveries', 'deliveries?limit=1000');
    await this.get('listPortalFailures', 'failures');
    await this.get('readPortalVerificationExample', 'verification-example');
    const signed = { body: '{}', timestamp: '1700000000', signature: '0'.repeat(64) };
    await this.post('comparePortalSignature', 'compare-signature', signed);
    await this.post('sendPortalTest', 'test', {});
    const activateAt = new Date(Date.now() + 3_600_000).toISOString();
    const username = `walk-${randomUUID()}`;
    const add = async (): Promise<string> => {
      const { body } = await this.post('addPortalCredentials', 'credentials', { username, activateAt });
      return `credentials/${String(body['version'])}`;
    };
    await this.post('activatePortalCredentials', `${await add()}/activate`, {});
    await this.send('dropPortalCredentials', 'DELETE', await add());
    await this.get('listPortalCredentials', 'credentials');
    const ids = await this.make(delivery);
    await this.get('listPortalKeys', 'keys?limit=1000');
    await this.get('listPortalReplays', 'replays?limit=1000');
    await this.get('listPortalUrlRequests', 'url-requests?limit=1000');
    await this.byIds(ids);
  }

  /** Makes what the routes with ids are for, beside a delivery. */
  async make(delivery: string): Promise<OwnIds> {
    return {
      delivery,
      key: await this.idOf('createPortalKey', 'keys', { name: `key ${randomUUID()}` }),
      replay: await this.idOf('startPortalReplay', 'replays', {
        from: '2020-01-01T00:00Z',
        to: '2020-01-02T00:00Z',
      }),
      urlRequest: await this.idOf('makePortalUrlRequest', 'url-requests', {
        url: `https://wanted.example/${randomUUID()}`,
        reason: `why ${randomUUID()}`,
      }),
    };
  }

  /** Calls every route that takes an id. */
  async byIds(ids: OwnIds): Promise<PortalAnswer[]> {
    const before = this.answers.length;
    for (const [operation, callOf] of Object.entries(BY_ID)) {
      const [method, path, body] = callOf(ids);
      await this.send(operation, method, path, body);
    }
    return this.answers.slice(before);
  }

  private get(operation: string, path: string) {
    return this.send(operation, 'GET', path);
  }

  private post(operation: string, path: string, body: object) {
    return this.send(operation, 'POST', path, body);
  }

  private async idOf(operation: string, path: string, body: object): Promise<string> {
    return String((await this.post(operation, path, body)).body['id']);
  }

  private async send(
    operation: string,
    method: string,
    path: string,
    body?: object,
  ): Promise<ApiAnswer<Record<string, unknown>>> {
    const url = path === '' ? '/v1/portal' : `/v1/portal/${path}`;
    this.sent.push(`${url} ${JSON.stringify(body ?? {})}`);
    const answer = await this.portal.call<Record<string, unknown>>(method, url, body);
    this.answers.push({ operation, status: answer.status, text: JSON.stringify(answer.body) });
    return answer;
  }
}

import type { ConsumerCreatedDto, ConsumerDto } from '#apps/api/src/resources/consumers/consumer.dto';
import type {
  CredentialListDto,
  CredentialsAddedDto,
  CredentialVersionDto,
} from '#apps/api/src/resources/consumers/credentials/credentials.dto';
import type { DeliveryDetailDto } from '#apps/api/src/resources/deliveries/delivery.dto';
import type { EventDetailDto, EventListDto } from '#apps/api/src/resources/events/event.dto';
import type { AcceptedDto, BatchResultDto, Role } from '#libs/contracts';
import { LONGEST_WAIT_MS, waitUntil } from '#test/support/wait-until';

export interface ApiAnswer<T> {
  status: number;
  headers: Headers;
  body: T;
}

export interface CallOptions {
  headers?: Readonly<Record<string, string>>;
  deadlineMs?: number;
}

const isJson = (response: Response): boolean =>
  /^application\/([\w.]+\+)?json/.test(response.headers.get('content-type') ?? '');

/** Calls the api over HTTP with a key, as a producer or an operator does. */
export class ApiClient {
  constructor(
    private readonly baseUrl: string,
    private readonly key: string,
  ) {}

  /** Sends one request. Any status is a valid answer. */
  async call<T>(
    method: string,
    path: string,
    body?: object,
    { headers = {}, deadlineMs = LONGEST_WAIT_MS }: CallOptions = {},
  ): Promise<ApiAnswer<T>> {
    const response = await fetch(`${this.baseUrl}${path}`, {
      method,
      headers: {
        ...headers,
        authorization: `Bearer ${this.key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(deadlineMs),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: JSON.parse(text === '' || !isJson(response) ? 'null' : text),
    };
  }

  registerConsumer(registration: object): Promise<ConsumerCreatedDto> {
    return this.expect(201, 'POST', '/v1/consumers', registration);
  }

  consumer(id: string): Promise<ConsumerDto> {
    return this.expect(200, 'GET', `/v1/consumers/${id}`);
  }

  pauseConsumer(id: string): Promise<ConsumerDto> {
    return this.expect(200, 'POST', `/v1/consumers/${id}/pause`, { reason: 'maintenance' });
  }

  resumeConsumer(id: string): Promise<ConsumerDto> {
    return this.expect(200, 'POST', `/v1/consumers/${id}/resume`, { reason: 'maintenance is over' });
  }

  addCredentials(id: string, parts: object): Promise<CredentialsAddedDto> {
    return this.expect(201, 'POST', `/v1/consumers/${id}/credentials`, parts);
  }

  async credentials(id: string): Promise<CredentialVersionDto[]> {
    const list: CredentialListDto = await this.expect(200, 'GET', `/v1/consumers/${id}/credentials`);
    return list.credentials;
  }

  activateCredentials(id: string, version: number): Promise<CredentialVersionDto> {
    return this.expect(200, 'POST', `/v1/consumers/${id}/credentials/${version}/activate`, {});
  }

  /** Creates an API key of one role. */
  createKey(name: string, role: Role): Promise<{ id: string; key: string }> {
    return this.expect(201, 'POST', '/v1/api-keys', { name, roles: [role] });
  }

  /** Pauses or resumes sending to all consumers. */
  async setSending(to: 'pause' | 'resume'): Promise<void> {
    await this.expect(200, 'POST', `/v1/sending/${to}`, { reason: 'an incident' });
  }

  /** Posts a status change. @throws unless it is accepted */
  accept(change: object): Promise<AcceptedDto> {
    return this.expect(202, 'POST', '/v1/events', change);
  }

  /** Posts status changes in sequence: each is committed before the next is sent. */
  async acceptAll(changes: readonly object[]): Promise<AcceptedDto[]> {
    const accepted: AcceptedDto[] = [];
    for (const change of changes) accepted.push(await this.accept(change));
    return accepted;
  }

  /** Posts up to 500 status changes as one batch. @throws unless each is accepted */
  async acceptBatch(events: readonly object[]): Promise<{ notificationId: string }[]> {
    const { results }: BatchResultDto = await this.expect(202, 'POST', '/v1/events/batch', { events });
    return results.map(({ notificationId }) => {
      if (notificationId === undefined) throw new Error('a change of the batch was refused');
      return { notificationId };
    });
  }

  event(notificationId: string): Promise<EventDetailDto> {
    return this.expect(200, 'GET', `/v1/events/${notificationId}`);
  }

  events(query: Record<string, string>): Promise<EventListDto> {
    return this.expect(200, 'GET', `/v1/events?${new URLSearchParams(query).toString()}`);
  }

  delivery(deliveryId: string): Promise<DeliveryDetailDto> {
    return this.expect(200, 'GET', `/v1/deliveries/${deliveryId}`);
  }

  /** The delivery of an event that is routed to exactly one consumer. */
  deliveryOf({ deliveries: [delivery] }: AcceptedDto): Promise<DeliveryDetailDto> {
    if (delivery === undefined) throw new Error('The event was not routed');
    return this.delivery(delivery.deliveryId);
  }

  /** Waits until the only delivery of an event is in this state, and returns it. */
  waitForState(
    accepted: AcceptedDto,
    state: string,
    deadlineMs = LONGEST_WAIT_MS,
  ): Promise<DeliveryDetailDto> {
    return waitUntil(
      async () => {
        const delivery = await this.deliveryOf(accepted);
        return delivery.state === state && delivery;
      },
      { deadlineMs, what: `the delivery of ${accepted.notificationId} to be ${state}`, everyMs: 50 },
    );
  }

  private async expect<T>(status: number, method: string, path: string, body?: object): Promise<T> {
    const answer = await this.call<T>(method, path, body);
    if (answer.status === status) return answer.body;
    throw new Error(
      `${method} ${path} answered ${answer.status}, not ${status}: ${JSON.stringify(answer.body)}`,
    );
  }
}

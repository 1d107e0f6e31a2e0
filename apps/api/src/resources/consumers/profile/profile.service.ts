import { CONFIG, type Config } from '#libs/config';
import {
  ApiKeysRepository,
  ConsumerHealths,
  ConsumersRepository,
  OwnDeliveriesRepository,
  PAUSED_BY_ANSWER,
  QueueStateRepository,
  UrlRequestsRepository,
} from '#libs/database';
import { healthForConsumer, KEY_EXPIRES_WITHIN_MS } from '#libs/policy';
import { Inject, Injectable, NotFoundException } from '@nestjs/common';
import { portalUrlRequestView } from '../url-requests/portal-url-request-view.js';
import type { PortalProfileDto } from './profile.dto.js';

/** Reads the consumer's own settings and state, without what is internal to the bank. */
@Injectable()
export class ProfileService {
  constructor(
    private readonly consumers: ConsumersRepository,
    private readonly healths: ConsumerHealths,
    private readonly deliveries: OwnDeliveriesRepository,
    private readonly queue: QueueStateRepository,
    private readonly urlRequests: UrlRequestsRepository,
    private readonly keys: ApiKeysRepository,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async read(consumerId: string): Promise<PortalProfileDto> {
    const [consumer, [judged], counts, sending, waiting, expiringKeys] = await Promise.all([
      this.consumers.find(consumerId),
      this.healths.of([consumerId]),
      this.deliveries.counts(consumerId),
      this.queue.sending(),
      this.urlRequests.waitingOf(consumerId),
      this.keys.expiring(KEY_EXPIRES_WITHIN_MS, consumerId),
    ]);
    if (consumer === undefined || judged === undefined)
      throw new NotFoundException('There is no such consumer.');
    const { health, circuit } = judged;
    const pausedByAnswer = consumer.pause_reason === PAUSED_BY_ANSWER;
    return {
      id: consumer.id,
      name: consumer.name,
      url: consumer.url,
      eventTypes: consumer.event_types,
      ordering: consumer.ordering,
      timestampUnit: consumer.timestamp_unit,
      state: consumer.state,
      pausedAt: consumer.paused_at?.toISOString() ?? null,
      pausedUntil: consumer.paused_until?.toISOString() ?? null,
      supportContact: this.config.supportContact,
      isSendingPaused: sending.paused_at !== null,
      health: {
        state: health.state,
        since: health.since?.toISOString() ?? null,
        lastSuccessAt: health.lastSuccessAt?.toISOString() ?? null,
        nextTryAt: health.state === 'down' ? (circuit.next_probe_at?.toISOString() ?? null) : null,
        ...healthForConsumer({ ...health, pausedByAnswer }),
      },
      counts,
      oldestDueAt: health.oldestDueAt?.toISOString() ?? null,
      waitingUrlRequest: waiting === undefined ? null : portalUrlRequestView(waiting),
      expiringKeys: expiringKeys.map(({ name, expiresAt }) => ({ name, expiresAt: expiresAt.toISOString() })),
    };
  }
}

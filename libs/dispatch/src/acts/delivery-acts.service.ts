import {
  cancelDelivery,
  DATABASE,
  retryDelivery,
  retryTransient,
  type AuditEntry,
  type Cancelled,
  type Database,
  type Retried,
  type SentOn,
} from '#libs/database';
import { LOGGER, Metrics, type Logger } from '#libs/observability';
import { Inject, Injectable } from '@nestjs/common';
import { StaleRoutingError } from '../accept/accept-batch.js';
import { RoutingDirectory } from '../accept/routing-directory.js';
import { Enqueuer } from '../enqueuer.js';
import { Gatekeeper } from '../gate/gatekeeper.js';
import { sendEvent, type EventSent, type EventToSendByHand } from './send-event.js';

const ROUTING_TRIES = 20;

/** What a person does to single deliveries. An answer means committed; what may go has been given to the queue. */
@Injectable()
export class DeliveryActs {
  constructor(
    @Inject(DATABASE) private readonly db: Database,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly metrics: Metrics,
    private readonly routing: RoutingDirectory,
    private readonly enqueuer: Enqueuer,
    private readonly gatekeeper: Gatekeeper,
  ) {}

  /** Tries a delivery now. */
  async retry(deliveryId: string, options: { readonly force: boolean }, audit: AuditEntry): Promise<Retried> {
    const retried = await retryDelivery(this.db, deliveryId, options, audit);
    if (retried.kind === 'done') {
      this.sendOn(retried);
      this.logger.info({ deliveryId }, 'retried by hand');
    }
    return retried;
  }

  /** Finishes a delivery without sending it. */
  async cancel(deliveryId: string, audit: AuditEntry): Promise<Cancelled> {
    const cancelled = await cancelDelivery(this.db, deliveryId, audit);
    if (cancelled.kind === 'done') {
      this.enqueuer.enqueue(cancelled.released);
      this.metrics.deliveriesFinished.inc({ state: 'cancelled' });
      this.logger.info({ deliveryId }, 'cancelled by hand');
    }
    return cancelled;
  }

  /** Sends an accepted event to consumers that it did not go to. */
  async send(event: EventToSendByHand, audit: AuditEntry): Promise<EventSent> {
    for (let tries = 1; ; tries += 1) {
      const routing = await this.routing.current();
      try {
        const sent = await retryTransient(() => sendEvent(this.db, event, routing, audit));
        if (sent.kind === 'done') {
          this.sendOn(sent);
          const { notificationId } = event;
          this.logger.info({ notificationId, deliveryIds: sent.deliveryIds }, 'sent by hand');
        }
        return sent;
      } catch (error) {
        if (!(error instanceof StaleRoutingError) || tries >= ROUTING_TRIES) throw error;
        await this.routing.refresh();
      }
    }
  }

  private sendOn({ queued, atGateOf }: SentOn): void {
    this.enqueuer.enqueue(queued);
    this.gatekeeper.putOnHold(atGateOf);
  }
}

import { companyIdsIn, newId, type FieldFault } from '#libs/contracts';
import {
  insertCopies,
  lockEventToSend,
  recordAudit,
  retryTransient,
  type AuditEntry,
  Database,
} from '#libs/database';
import { LOGGER, type Logger } from '#libs/observability';
import { route, routeManually } from '#libs/policy';
import { DispatchQueue } from '#libs/queue';
import {
  ConflictException,
  Inject,
  Injectable,
  NotFoundException,
  ServiceUnavailableException,
} from '@nestjs/common';
import { auditEntry, type Actor } from '../../access/audit-entry.js';
import type { SendEventDto } from './send-event.dto.js';
import type { SendUnroutedDto, UnroutedSentDto } from './unrouted.dto.js';
import { InvalidContentError } from '../../http/invalid-input.js';
import { RoutingDirectory, type Routing } from '../../ingest/routing-directory.js';

/** Maximum number of tries with the latest routing: only a faulty script changes consumers during all of them. */
const TRIES = 20;

interface ToSend {
  readonly notificationId: string;
  /** Ids or `externalId`s; `matching`: the consumers that match the event today, if it has no delivery. */
  readonly consumers: readonly string[] | 'matching';
  /** The event is only routed. */
  readonly isDryRun?: boolean;
}

type Sent =
  | { readonly kind: 'done'; readonly copies: readonly { deliveryId: string; consumerId: string }[] }
  | { readonly kind: 'unknown' | 'stale_routing' | 'unmatched' }
  /** Some consumers are unknown or must not get the event. */
  | { readonly kind: 'refused'; readonly faults: readonly FieldFault[] }
  /** These consumers already have a delivery of the event. */
  | { readonly kind: 'repeated'; readonly consumerIds: readonly string[] };

/** Sends an accepted event to consumers that have no delivery of it. */
@Injectable()
export class SendEvent {
  constructor(
    private readonly db: Database,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly routing: RoutingDirectory,
    private readonly queue: DispatchQueue,
  ) {}

  /**
   * @returns the ids of the new deliveries
   * @throws NotFoundException; InvalidContentError for consumers that are unknown or must not get the event;
   *   ConflictException for those that have it; ServiceUnavailableException when consumers change too often
   */
  async execute(
    notificationId: string,
    { consumers, reason }: SendEventDto,
    actor: Actor,
  ): Promise<string[]> {
    const sent = await this.send({ notificationId, consumers }, reason, actor);
    switch (sent.kind) {
      case 'done':
        return sent.copies.map(({ deliveryId }) => deliveryId);
      case 'unmatched':
        throw new ConflictException('No consumer matches the event.');
      case 'unknown':
        throw new NotFoundException('There is no such event.');
      case 'refused':
        throw new InvalidContentError(sent.faults);
      case 'repeated':
        throw new ConflictException(
          `These consumers have a delivery of this event already, retry that instead: ${sent.consumerIds.join(', ')}.`,
        );
      case 'stale_routing':
        throw new ServiceUnavailableException('The consumers change too often. Nothing was sent; try again.');
    }
  }

  /** Sends unrouted events to the consumers that match them today, in the order of their acceptance. */
  async toMatching(
    { notificationIds, reason, dryRun: isDryRun = false }: SendUnroutedDto,
    actor: Actor,
  ): Promise<UnroutedSentDto> {
    let count = 0;
    const events = new Map<string, number>();
    for (const notificationId of notificationIds.toSorted()) {
      const sent = await this.send({ notificationId, consumers: 'matching', isDryRun }, reason, actor);
      if (sent.kind !== 'done') continue;
      count += 1;
      for (const { consumerId } of sent.copies) events.set(consumerId, (events.get(consumerId) ?? 0) + 1);
    }
    return {
      sent: count,
      notSent: notificationIds.length - count,
      consumers: [...events].map(([consumerId, number]) => ({ consumerId, events: number })),
    };
  }

  private async send(event: ToSend, reason: string, actor: Actor): Promise<Sent> {
    const { notificationId } = event;
    const audit = auditEntry(actor, { action: 'event.sent', target: `event:${notificationId}`, reason });
    let sent: Sent = { kind: 'stale_routing' };
    for (let tries = 0; sent.kind === 'stale_routing' && tries < TRIES; tries += 1) {
      const routing = tries === 0 ? await this.routing.current() : await this.routing.refresh();
      sent = await retryTransient(() => sendCopies(this.db, event, routing, audit));
    }
    if (sent.kind === 'done' && event.isDryRun !== true) {
      this.queue.enqueue(sent.copies.map(({ consumerId }) => consumerId));
      const deliveryIds = sent.copies.map(({ deliveryId }) => deliveryId);
      this.logger.info({ notificationId, deliveryIds }, 'event.sent');
    }
    return sent;
  }
}

/** Adds the deliveries in one transaction. They get the event's number within its payment. */
function sendCopies(
  db: Database,
  { notificationId, consumers, isDryRun = false }: ToSend,
  routing: Routing,
  audit: AuditEntry,
): Promise<Sent> {
  return db.transaction().execute(async (trx): Promise<Sent> => {
    const event = await lockEventToSend(trx, notificationId);
    if (event === undefined) return { kind: 'unknown' };
    if (event.routingVersion !== routing.version) return { kind: 'stale_routing' };
    const toRoute = {
      eventType: event.eventType,
      companyIds: companyIdsIn(event.body),
      earlierConsumerIds: event.past.consumerIds,
      earlierCompanyIds: event.past.companyIds,
    };
    const routed =
      consumers === 'matching'
        ? route(routing.table, { ...toRoute, named: undefined })
        : routeManually(routing.table, { ...toRoute, named: consumers, isUnrouted: event.isUnrouted });
    if (!routed.ok) return { kind: 'refused', faults: routed.faults };
    if (consumers === 'matching' && (event.consumerIds.length > 0 || routed.consumerIds.length === 0))
      return { kind: 'unmatched' };
    const repeated = routed.consumerIds.filter((id) => event.consumerIds.includes(id));
    if (repeated.length > 0) return { kind: 'repeated', consumerIds: repeated };
    const copies = routed.consumerIds.map((consumerId) => ({ deliveryId: newId(), consumerId }));
    if (isDryRun) return { kind: 'done', copies };
    await insertCopies(trx, event, copies);
    await recordAudit(trx, { ...audit, details: { ...audit.details, deliveries: copies } });
    return { kind: 'done', copies };
  });
}

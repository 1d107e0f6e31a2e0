import { Body, Get, HttpCode, Post, Query } from '@nestjs/common';
import { Allow } from '../../access/allow.decorator.js';
import { CurrentCaller, type Caller } from '../../access/caller.js';
import { Action, Id, Refuses, Routes } from '../../http/routes.js';
import { CurrentActor, type Actor } from '../../access/audit-entry.js';
import { OptionalReasonDto } from '../../http/reason.dto.js';
import { EnvelopeDto, EventDetailDto, EventListDto } from './event.dto.js';
import { EventsQueryDto } from './events-query.dto.js';
import { EventsService } from './events.service.js';
import { MarkUnroutedSeen } from './mark-unrouted-seen.js';
import { ReadEnvelope } from './read-envelope.js';
import { EventSentDto, SendEventDto } from './send-event.dto.js';
import { SendEvent } from './send-event.js';
import { SendUnroutedDto, UnroutedSeenDto, UnroutedSentDto } from './unrouted.dto.js';

/** Accepted events, and the actions of on-call staff on them. */
@Routes({ path: 'events', tag: 'events' })
export class EventsController {
  constructor(
    private readonly events: EventsService,
    private readonly envelope: ReadEnvelope,
    private readonly send: SendEvent,
    private readonly seen: MarkUnroutedSeen,
  ) {}

  /**
   * List accepted events, newest first
   * @remarks A producer sees only its own events. With fixed `from` and `to`, the list is stable: paging misses no
   * event.
   */
  @Get()
  @Allow('producer', 'viewer')
  listEvents(@Query() query: EventsQueryDto, @CurrentCaller() caller: Caller): Promise<EventListDto> {
    return this.events.list(query, caller);
  }

  /** Read an event with its envelope and deliveries */
  @Get(':notificationId')
  @Allow('producer', 'viewer')
  @Refuses({ 404: 'There is no such event, or another producer posted it.' })
  readEvent(
    @Id('notificationId') notificationId: string,
    @CurrentCaller() caller: Caller,
  ): Promise<EventDetailDto> {
    return this.events.read(notificationId, caller);
  }

  /** Read an event’s envelope with account numbers in full; the audit log records the caller */
  @Action(':notificationId/envelope')
  @Allow('oncall')
  async readEnvelope(
    @Id('notificationId') notificationId: string,
    @Body() { reason }: OptionalReasonDto,
    @CurrentActor() actor: Actor,
  ): Promise<EnvelopeDto> {
    return { envelope: await this.envelope.execute(notificationId, reason, actor) };
  }

  /**
   * Send an accepted event to more consumers
   * @remarks Each consumer must have the event type, and either all payments or a party among the payment’s
   * companies; a consumer without parties must have earlier events of the payment. Only an unrouted event whose
   * payment names no company can be sent to any consumer of its type; the `reason` then justifies the choice.
   */
  @Post(':notificationId/deliveries')
  @Allow('oncall')
  @Refuses({
    409: 'A consumer has a delivery of this event already; retry that one instead.',
    422: 'A consumer is unknown or must not get the event; `errors` names it.',
  })
  async sendEvent(
    @Id('notificationId') notificationId: string,
    @Body() body: SendEventDto,
    @CurrentActor() actor: Actor,
  ): Promise<EventSentDto> {
    const deliveryIds = await this.send.execute(notificationId, body, actor);
    return { deliveries: await this.events.deliveriesOf(notificationId, deliveryIds) };
  }

  /**
   * Send unrouted events to the consumers that match them today
   * @remarks For consumers that were registered, or got a company id, after the event was accepted. Each event is
   * routed like a new one, the oldest first. An event that matches no consumer stays unrouted, and one that has a
   * delivery already is left alone. With `dryRun` nothing is sent, and the response has the consumers that match.
   */
  @Action('unrouted/send')
  @Allow('oncall')
  sendUnrouted(@Body() body: SendUnroutedDto, @CurrentActor() actor: Actor): Promise<UnroutedSentDto> {
    return this.send.toMatching(body, actor);
  }

  /**
   * Mark unrouted events as seen
   * @remarks The overview then counts newer ones only. The list of unrouted events keeps all of them.
   */
  @Post('unrouted/seen')
  @HttpCode(204)
  @Allow('oncall')
  markUnroutedSeen(@Body() { until }: UnroutedSeenDto, @CurrentActor() actor: Actor): Promise<void> {
    return this.seen.execute(until, actor);
  }
}

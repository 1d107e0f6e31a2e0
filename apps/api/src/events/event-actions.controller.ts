import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Allow } from '../access/allow.decorator.js';
import { CurrentActor, type Actor } from '../access/audit-entry.js';
import { INVALID_CONTENT, Refuses } from '../http/refuses.js';
import { uuidParameter } from '../http/uuid.pipe.js';
import { OptionalReasonDto } from '../http/optional-reason.dto.js';
import { ReadEnvelope } from '../operations/read-envelope.js';
import { EnvelopeDto } from './event.dto.js';
import { EventSentDto, SendEventDto } from './send-event.dto.js';
import { EventsService } from './events.service.js';
import { SendEvent } from '../operations/send-event.js';

/** What on-call staff do with an accepted event: read it in full, send it to one more consumer. */
@ApiTags('events')
@Controller({ path: 'events', version: '1' })
export class EventActionsController {
  constructor(
    private readonly sendEvent: SendEvent,
    private readonly readEnvelope: ReadEnvelope,
    private readonly events: EventsService,
  ) {}

  @Post(':notificationId/envelope')
  @HttpCode(200)
  @Allow('oncall')
  @ApiOperation({
    summary: 'Read an event’s envelope with account numbers in full; the audit log keeps who did',
    operationId: 'readEnvelope',
  })
  @ApiOkResponse({ type: EnvelopeDto })
  @Refuses({ 404: 'There is no such event.', 422: INVALID_CONTENT })
  async envelope(
    @Param('notificationId', uuidParameter) notificationId: string,
    @Body() { reason }: OptionalReasonDto,
    @CurrentActor() actor: Actor,
  ): Promise<EnvelopeDto> {
    return { envelope: await this.readEnvelope.execute(notificationId, reason, actor) };
  }

  @Post(':notificationId/deliveries')
  @Allow('oncall')
  @ApiOperation({
    summary: 'Send an unrouted event, or one more consumer’s copy',
    description:
      'The consumers must be given by name, take the type, and be among the payment’s parties; only where the event ' +
      'and its payment name no company does the caller choose the consumer freely, and answer for it with the reason.',
    operationId: 'sendEvent',
  })
  @ApiCreatedResponse({ type: EventSentDto })
  @Refuses({
    404: 'There is no such event.',
    409: 'A consumer has a delivery of this event already; retry that one instead.',
    422: 'A consumer is unknown or must not get the event; `errors` names it.',
  })
  async send(
    @Param('notificationId', uuidParameter) notificationId: string,
    @Body() body: SendEventDto,
    @CurrentActor() actor: Actor,
  ): Promise<EventSentDto> {
    const deliveryIds = await this.sendEvent.execute(notificationId, body, actor);
    return { deliveries: await this.events.deliveriesOf(notificationId, deliveryIds) };
  }
}

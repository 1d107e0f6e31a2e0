import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Allow } from '../../access/allow.decorator.js';
import { CurrentActor, type Actor } from '../../access/audit-entry.js';
import { INVALID_CONTENT, Refuses } from '../../http/refuses.js';
import { uuidParameter } from '../../http/uuid.pipe.js';
import { OptionalReasonDto } from '../../http/optional-reason.dto.js';
import { ReadEnvelope } from './read-envelope.js';
import { EnvelopeDto } from './event.dto.js';
import { EventSentDto, SendEventDto } from './send-event.dto.js';
import { EventsService } from './events.service.js';
import { SendEvent } from './send-event.js';

/** Actions of on-call staff on an accepted event: read it in full, send it to more consumers. */
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
    summary: 'Read an event’s envelope with account numbers in full; the audit log records the caller',
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
    summary: 'Send an accepted event to more consumers',
    description:
      'Each consumer must have the event type, and either all payments or a party among the payment’s companies; a ' +
      'consumer without parties must have earlier events of the payment. Only an unrouted event whose payment ' +
      'names no company can be sent to any consumer of its type; the `reason` then justifies the choice.',
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

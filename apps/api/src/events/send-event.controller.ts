import { Body, Controller, Param, Post } from '@nestjs/common';
import {
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiNotFoundResponse,
  ApiOperation,
  ApiTags,
  ApiUnprocessableEntityResponse,
} from '@nestjs/swagger';
import { Allow } from '../access/allow.decorator.js';
import { CurrentActor, type Actor } from '../access/audit-entry.js';
import { PROBLEM_RESPONSE } from '../http/problem-response.js';
import { uuidParameter } from '../http/uuid.pipe.js';
import { EventSentDto, SendEventDto } from './send-event.dto.js';
import { EventsService } from './events.service.js';
import { SendEvent } from '../operations/send-event.js';

/** Sends an accepted event to consumers that acceptance did not address. */
@ApiTags('events')
@Controller({ path: 'events', version: '1' })
export class SendEventController {
  constructor(
    private readonly sendEvent: SendEvent,
    private readonly events: EventsService,
  ) {}

  @Post(':notificationId/deliveries')
  @Allow('oncall')
  @ApiOperation({
    summary: 'Send an unrouted event, or one more consumer’s copy',
    description:
      'The consumers must be given by name, take the type, and be among the payment’s parties; only where the event ' +
      'and its payment name no company does the caller vouch for the consumer, with the reason.',
    operationId: 'sendEvent',
  })
  @ApiCreatedResponse({ type: EventSentDto })
  @ApiNotFoundResponse(PROBLEM_RESPONSE('There is no such event.'))
  @ApiConflictResponse(
    PROBLEM_RESPONSE('A consumer has a delivery of this event already; retry that one instead.'),
  )
  @ApiUnprocessableEntityResponse(
    PROBLEM_RESPONSE('A consumer is unknown or must not get the event; `errors` names it.'),
  )
  async send(
    @Param('notificationId', uuidParameter) notificationId: string,
    @Body() body: SendEventDto,
    @CurrentActor() actor: Actor,
  ): Promise<EventSentDto> {
    const deliveryIds = await this.sendEvent.execute(notificationId, body, actor);
    return { deliveries: await this.events.deliveriesOf(notificationId, deliveryIds) };
  }
}

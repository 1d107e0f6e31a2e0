import { Injectable, NotImplementedException } from '@nestjs/common';
import type { Actor } from '../access/actor.js';
import type { EventSentDto, SendEventDto } from './send-event.dto.js';

@Injectable()
export class SendEventService {
  send(_notificationId: string, _body: SendEventDto, _actor: Actor): Promise<EventSentDto> {
    throw new NotImplementedException('Soon.');
  }
}

import { Injectable, NotImplementedException } from '@nestjs/common';
import type { Actor } from '../access/actor.js';
import type { CancelDeliveryDto, RetryDeliveryDto } from './delivery-actions.dto.js';
import type { DeliveryDto } from './delivery.dto.js';

@Injectable()
export class DeliveryActionsService {
  retry(_id: string, _body: RetryDeliveryDto, _actor: Actor): Promise<DeliveryDto> {
    throw new NotImplementedException('Soon.');
  }

  cancel(_id: string, _body: CancelDeliveryDto, _actor: Actor): Promise<DeliveryDto> {
    throw new NotImplementedException('Soon.');
  }
}

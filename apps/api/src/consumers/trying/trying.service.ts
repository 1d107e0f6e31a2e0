import { Injectable, NotImplementedException } from '@nestjs/common';
import type { Actor } from '../../access/audit-entry.js';
import type { TestConsumerDto, TestDeliveryDto } from './test-delivery.dto.js';

@Injectable()
export class TryingService {
  async test(_id: string, _body: TestConsumerDto, _actor: Actor): Promise<TestDeliveryDto> {
    throw new NotImplementedException();
  }
}

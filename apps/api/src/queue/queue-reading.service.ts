import { Injectable, NotImplementedException } from '@nestjs/common';
import type { QueueDto } from './queue.dto.js';

@Injectable()
export class QueueReadingService {
  read(): Promise<QueueDto> {
    throw new NotImplementedException('Not yet.');
  }
}

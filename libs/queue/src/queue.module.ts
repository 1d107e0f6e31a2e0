import { CONFIG, type Config } from '#libs/config';
import { Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { DeliveryQueue } from './delivery-queue.js';
import { QUEUE_BACKEND } from './queue-backend-token.js';
import { openQueueBackend, type QueueBackend } from './queue-backend.js';

@Module({
  providers: [
    {
      provide: QUEUE_BACKEND,
      inject: [CONFIG],
      useFactory: (config: Config): QueueBackend => openQueueBackend(config.queue),
    },
  ],
  exports: [QUEUE_BACKEND],
})
class QueueBackendModule implements OnApplicationShutdown {
  constructor(@Inject(QUEUE_BACKEND) private readonly backend: QueueBackend) {}

  async onApplicationShutdown(): Promise<void> {
    await this.backend.close();
  }
}

/** The only door to BullMQ. */
@Module({
  imports: [QueueBackendModule],
  providers: [DeliveryQueue],
  exports: [DeliveryQueue],
})
export class QueueModule {}

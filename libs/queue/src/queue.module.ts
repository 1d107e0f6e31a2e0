import { CONFIG, type Config } from '#libs/config';
import { LOGGER, Metrics, type Logger } from '#libs/observability';
import { BullModule, getQueueToken } from '@nestjs/bullmq';
import { Global, Inject, Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import { DELIVERIES_QUEUE } from './delivery-jobs.js';
import { DispatchQueue, type DeliveriesQueue } from './dispatch-queue.js';
import { openQueueBackend } from './open-queue-backend.js';
import { QUEUE_BACKEND } from './queue-backend-token.js';
import type { QueueBackend } from './queue-backend.js';

@Global()
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

const BULLMQ: DynamicModule = {
  ...BullModule.registerQueueAsync({
    name: DELIVERIES_QUEUE,
    imports: [QueueBackendModule],
    inject: [QUEUE_BACKEND],
    useFactory: (backend: QueueBackend) => backend.options,
  }),
  global: true,
};

@Global()
@Module({
  providers: [
    {
      provide: DispatchQueue,
      inject: [QUEUE_BACKEND, getQueueToken(DELIVERIES_QUEUE), Metrics, LOGGER],
      useFactory: (backend: QueueBackend, queue: DeliveriesQueue, metrics: Metrics, logger: Logger) =>
        new DispatchQueue(backend, queue, metrics, logger),
    },
  ],
  exports: [DispatchQueue],
})
class DispatchQueueModule {}

/**
 * Access to BullMQ for every module of the process. All modules here are global, since Nest shuts down global modules
 * after the others, and the last import first: the remaining jobs are added, then BullMQ's queue closes, then its
 * connection.
 */
@Module({})
export class JobQueueModule {
  static forRoot(): DynamicModule {
    return {
      module: JobQueueModule,
      global: true,
      imports: [QueueBackendModule, BULLMQ, DispatchQueueModule],
    };
  }
}

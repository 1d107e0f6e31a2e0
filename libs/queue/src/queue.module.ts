import { CONFIG, type Config } from '#libs/config';
import { LOGGER, Metrics, TRACING, type Logger, type Tracing } from '#libs/observability';
import { BullModule, getQueueToken } from '@nestjs/bullmq';
import { Global, Inject, Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import { DELIVERIES_QUEUE } from './delivery-jobs.js';
import { DispatchQueue, type DeliveriesQueue } from './dispatch-queue.js';
import { openQueueBackend } from './open-queue-backend.js';
import { QUEUE_BACKEND } from './queue-backend-token.js';
import type { QueueBackend } from './queue-backend.js';
import { queueTelemetry } from './queue-telemetry.js';

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
    inject: [QUEUE_BACKEND, TRACING],
    // A worker has the telemetry of its queue.
    useFactory: async (backend: QueueBackend, { isOn }: Tracing) => {
      const telemetry = await queueTelemetry(isOn);
      return { ...backend.options, ...(telemetry === undefined ? {} : { telemetry }) };
    },
  }),
  global: true,
};

@Global()
@Module({
  providers: [
    {
      provide: DispatchQueue,
      inject: [QUEUE_BACKEND, getQueueToken(DELIVERIES_QUEUE), TRACING, Metrics, LOGGER],
      useFactory: (
        backend: QueueBackend,
        queue: DeliveriesQueue,
        tracing: Tracing,
        metrics: Metrics,
        logger: Logger,
      ) => new DispatchQueue(backend, queue, tracing, metrics, logger),
    },
  ],
  exports: [DispatchQueue],
})
class DispatchQueueModule {}

/**
 * The only door to BullMQ, open to every module of the process. All of it is global, since Nest ends global modules
 * after the others and the last import first: what the process has in hand goes into the queue, then BullMQ's queue
 * closes, then its connection.
 */
@Module({})
export class QueueModule {
  static forRoot(): DynamicModule {
    return {
      module: QueueModule,
      global: true,
      imports: [QueueBackendModule, BULLMQ, DispatchQueueModule],
    };
  }
}

import { CONFIG, type Config } from '#libs/config';
import { LOGGER, TRACING, type Logger, type Tracing } from '#libs/observability';
import { BullModule, getQueueToken } from '@nestjs/bullmq';
import { Global, Inject, Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import type { Queue } from 'bullmq';
import type { DeliveryJobData } from './delivery-job.js';
import { DeliveryQueue } from './delivery-queue.js';
import { QUEUE_BACKEND } from './queue-backend-token.js';
import { queueTelemetry } from './queue-telemetry.js';
import { openQueueBackend, type QueueBackend } from './queue-backend.js';
import { shardNames } from './shards.js';

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

/**
 * The only door to BullMQ, open to every module of the process. Global, with all that it is made of: Nest ends global
 * modules after the others, and what the story has in hand goes into the queue before the queue closes.
 */
@Module({})
export class QueueModule {
  /** @param shards how many queues the deliveries are spread over; modules declare their queues before they are made */
  static forRoot({ shards }: Config['queue']): DynamicModule {
    const names = shardNames(shards);
    return {
      module: QueueModule,
      global: true,
      imports: [
        QueueBackendModule,
        {
          ...BullModule.registerQueueAsync(
            ...names.map((name, number) => ({
              name,
              imports: [QueueBackendModule],
              inject: [QUEUE_BACKEND, TRACING],
              // A worker has the telemetry of its queue.
              useFactory: async (backend: QueueBackend, { isOn }: Tracing) => {
                const telemetry = await queueTelemetry(isOn);
                return {
                  ...backend.shards[number]?.options,
                  ...(telemetry === undefined ? {} : { telemetry }),
                };
              },
            })),
          ),
          global: true,
        },
      ],
      providers: [
        {
          provide: DeliveryQueue,
          inject: [QUEUE_BACKEND, TRACING, LOGGER, ...names.map((name) => getQueueToken(name))],
          useFactory: (
            backend: QueueBackend,
            tracing: Tracing,
            logger: Logger,
            ...queues: Queue<DeliveryJobData>[]
          ) => new DeliveryQueue(backend, queues, tracing, logger),
        },
      ],
      exports: [DeliveryQueue],
    };
  }
}

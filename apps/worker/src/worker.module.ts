import type { Config } from '#libs/config';
import { DispatchModule } from '#libs/dispatch';
import { WorkerMetrics } from '#libs/observability';
import { shardNames } from '#libs/queue';
import { Module, type DynamicModule } from '@nestjs/common';
import { ConsumptionWatch } from './delivery/consumption-watch.js';
import { DeliveryConsumers, SHARD_CONSUMERS } from './delivery/delivery-consumers.js';
import { DeliveryJobs } from './delivery/delivery-jobs.js';
import { shardConsumer, type ShardConsumer } from './delivery/shard-consumer.js';

/** Delivers: consumes the queue and keeps it in line with PostgreSQL. */
@Module({})
export class WorkerModule {
  /** @param shards how many queues there are: each has a consumer */
  static forRoot({ shards }: Config['queue']): DynamicModule {
    const consumers = shardNames(shards).map((name) => shardConsumer(name, shards));
    return {
      module: WorkerModule,
      imports: [DispatchModule],
      providers: [
        DeliveryJobs,
        ...consumers,
        {
          provide: SHARD_CONSUMERS,
          inject: consumers,
          useFactory: (...all: ShardConsumer[]): readonly ShardConsumer[] => all,
        },
        WorkerMetrics,
        ConsumptionWatch,
        DeliveryConsumers,
      ],
    };
  }
}

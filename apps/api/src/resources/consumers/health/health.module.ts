import {
  CertificatesRepository,
  ConsumerHealthRepository,
  ConsumerHealths,
  DatabaseModule,
  QueueStateRepository,
  WorkersRepository,
} from '#libs/database';
import { Module } from '@nestjs/common';
import { PartsWatch } from '../../../status/parts-watch.service.js';
import { StatusModule } from '../../../status/status.module.js';

/** Health of consumers: a single source for the list, the overview and the metrics. */
@Module({
  imports: [DatabaseModule, StatusModule],
  providers: [
    {
      provide: ConsumerHealths,
      inject: [
        ConsumerHealthRepository,
        CertificatesRepository,
        QueueStateRepository,
        WorkersRepository,
        PartsWatch,
      ],
      useFactory: (
        repository: ConsumerHealthRepository,
        certificates: CertificatesRepository,
        queue: QueueStateRepository,
        workers: WorkersRepository,
        parts: PartsWatch,
      ): ConsumerHealths =>
        new ConsumerHealths({ repository, certificates, queue, workers }, () =>
          parts.observations().some(({ fault }) => fault !== null),
        ),
    },
  ],
  exports: [ConsumerHealths],
})
export class HealthModule {}

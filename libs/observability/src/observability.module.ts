import { Inject, Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from 'pino';
import { OperationalController } from './operational.controller.js';
import { Metrics } from './metrics.js';
import { Readiness } from './readiness.js';
import { NO_TRACING, type Tracing } from './tracing/tracing.js';

/** Injection token of the process's logger. */
export const LOGGER = Symbol('Logger');
/** Injection token of the process's `Tracing`. */
export const TRACING = Symbol('Tracing');

/** The process's logger, tracing, metrics and readiness; stand-alone's api and worker share them. */
@Module({})
export class ObservabilityModule implements OnApplicationShutdown {
  constructor(@Inject(TRACING) private readonly tracing: Tracing) {}

  static forRoot(logger: Logger, tracing: Tracing = NO_TRACING): DynamicModule {
    return {
      module: ObservabilityModule,
      global: true,
      controllers: [OperationalController],
      providers: [
        { provide: LOGGER, useValue: logger },
        { provide: TRACING, useValue: tracing },
        Metrics,
        Readiness,
      ],
      exports: [LOGGER, TRACING, Metrics, Readiness],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.tracing.close();
  }
}

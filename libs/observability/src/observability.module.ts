import { Module, type DynamicModule } from '@nestjs/common';
import type { Logger } from 'pino';
import { MachineryController } from './machinery.controller.js';
import { Metrics } from './metrics.js';
import { Readiness } from './readiness.js';

/** Injection token of the process's logger. */
export const LOGGER = Symbol('Logger');

/** One logger, one set of metrics and one readiness for a process, stand-alone's two halves included. */
@Module({})
export class ObservabilityModule {
  static forRoot(logger: Logger): DynamicModule {
    return {
      module: ObservabilityModule,
      global: true,
      controllers: [MachineryController],
      providers: [{ provide: LOGGER, useValue: logger }, Metrics, Readiness],
      exports: [LOGGER, Metrics, Readiness],
    };
  }
}

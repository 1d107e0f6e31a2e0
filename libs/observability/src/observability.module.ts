import { Module, type DynamicModule } from '@nestjs/common';
import type { Logger } from 'pino';
import { Metrics } from './metrics.js';

/** Injection token of the process's logger. */
export const LOGGER = Symbol('Logger');

/** One logger and one set of metrics for a process, stand-alone's two halves included. */
@Module({})
export class ObservabilityModule {
  static forRoot(logger: Logger): DynamicModule {
    return {
      module: ObservabilityModule,
      global: true,
      providers: [{ provide: LOGGER, useValue: logger }, Metrics],
      exports: [LOGGER, Metrics],
    };
  }
}

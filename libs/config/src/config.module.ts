import { Module, type DynamicModule } from '@nestjs/common';
import type { Config } from './read-config.js';

/** Injection token of the process's `Config`. */
export const CONFIG = Symbol('Config');

/** Makes the configuration, read before Nest starts, available to every module. */
@Module({})
export class ConfigModule {
  static forRoot(config: Config): DynamicModule {
    return {
      module: ConfigModule,
      global: true,
      providers: [{ provide: CONFIG, useValue: config }],
      exports: [CONFIG],
    };
  }
}

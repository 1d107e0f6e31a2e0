export { createLogger, NestLogger, type Logger } from './logger.js';
export { Metrics } from './metrics.js';
export { LOGGER, ObservabilityModule } from './observability.module.js';

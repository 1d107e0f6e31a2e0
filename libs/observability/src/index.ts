export { faultText } from './fault-text.js';
export { createLogger, NestLogger, type Logger } from './logger.js';
export { PUBLIC } from './machinery.controller.js';
export { Metrics } from './metrics.js';
export { LOGGER, ObservabilityModule } from './observability.module.js';
export { Readiness } from './readiness.js';

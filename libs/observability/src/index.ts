export { faultText } from './fault-text.js';
export { createLogger, NestLogger, type Logger } from './logger.js';
export { PUBLIC } from './machinery.controller.js';
export { InstallationMetrics, MOST_CONSUMERS_WITH_SERIES } from './installation-metrics.js';
export { Metrics, type Batch, type ReconciledKind } from './metrics.js';
export { LOGGER, ObservabilityModule } from './observability.module.js';
export { Readiness } from './readiness.js';
export { WorkerMetrics } from './worker-metrics.js';

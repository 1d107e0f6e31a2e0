export { adviceFor, type AttemptCause } from './advice.js';
export {
  DEFAULT_RETRY_SCHEDULE_MS,
  MAX_RETRY_AFTER_MS,
  nextDelayMs,
  type NextDelayInput,
} from './retry-schedule.js';
export {
  checkRetrySchedule,
  MAX_RETRIES,
  MAX_RETRY_DELAY_S,
  MAX_RETRY_SPAN_S,
  type RetryScheduleCheck,
  type RetryScheduleFault,
} from './check-retry-schedule.js';
export { backlogTrend, type BacklogTrend, type Flow } from './backlog.js';
export {
  consumerHealth,
  HEALTH_WINDOW_MS,
  isFailing,
  isStreak,
  LATELY_MS,
  needsAttention,
  worstFirst,
  type ConsumerHealth,
} from './consumer-health.js';
export type { FailureCause, HealthFacts } from './health-facts.js';
export { certificateState, WATCH_BEFORE_MS } from './certificate-state.js';
export { asksForPause, decide, succeeds, type AttemptFacts, type Decision } from './decide.js';
export {
  AILING_CONCURRENCY,
  AILING_FAILURES,
  HEALTHY,
  observe,
  type Health,
  type Observation,
  type Observed,
} from './health.js';
export { createRoutingTable, type RoutableConsumer, type RoutingTable } from './routing-table.js';
export { route, routeByHand, type Routed, type RoutedEvent, type RoutingFault } from './route.js';
export { LATENCY_BOUNDS_MS, latencyBucket, percentileOf } from './latency.js';
export { PENDING_LIMIT_MS, pendingTooLongSince, type Downtime } from './pending-too-long.js';
export {
  pendingStateOf,
  WORKER_GONE_AFTER_MS,
  type ConsumerPendingState,
  type PendingDelivery,
  type PendingState,
  type WorkerReport,
} from './pending-state.js';

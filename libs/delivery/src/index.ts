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
export {
  admit,
  AILING_CONCURRENCY,
  AILING_FAILURES,
  RATE_HORIZON_MS,
  type Admission,
  type Candidate,
  type Gate,
  type GateReason,
} from './admit.js';
export { certificateState, WATCH_BEFORE_MS } from './certificate-state.js';
export { asksForPause, decide, succeeds, type AttemptFacts, type Decision } from './decide.js';
export { heldTooLongSince, type Standstill } from './held-too-long.js';
export { HEALTHY, observe, type Health, type Observation, type Observed } from './health.js';
export { createRoutingTable, type RoutableConsumer, type RoutingTable } from './routing-table.js';
export { route, routeByHand, type Routed, type RoutedEvent, type RoutingFault } from './route.js';
export { LATENCY_BOUNDS_MS, latencyBucket, percentileOf } from './latency.js';
export { troubleOf, worstFirst, type ConsumerCondition, type Trouble } from './trouble.js';

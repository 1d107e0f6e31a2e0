export { adviceFor, adviceForConsumer } from './advice.js';
export { healthForConsumer } from './consumers-advice.js';
export { DEFAULT_RETRY_SCHEDULE_MS, MAX_RETRY_AFTER_MS } from './retry-schedule.js';
export { checkRetrySchedule } from './check-retry-schedule.js';
export { backlogTrend, type Flow } from './backlog.js';
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
export type { HealthFacts } from './health-facts.js';
export {
  changesOf,
  issueOfKey,
  issuesOf,
  KEY_EXPIRES_WITHIN_MS,
  type FoundIssue,
  type HealthNow,
  type IssueChanges,
  type OngoingIssue,
} from './issues.js';
export { defaultSeverities, severityOf } from './severity.js';
export { isTimeZone, isWithinHours, type ChannelHours } from './channel-hours.js';
export { mailAddressOf } from './mail-address.js';
export { LIMIT_WINDOW_MS, withinLimit, type Opening } from './message-limit.js';
export { nextMessageAttempt } from './message-schedule.js';
export { certificateState, WATCH_BEFORE_MS } from './certificate-state.js';
export { decide, succeeds, type Decision } from './decide.js';
export { FAILING_AFTER, HEALTHY, observe, type Health, type Observation, type Observed } from './health.js';
export { RoutingTable, type RoutableConsumer } from './routing-table.js';
export { route, routeManually } from './route.js';
export { LATENCY_BOUNDS_MS, latencyBucket, percentileOf } from './latency.js';
export { PENDING_LIMIT_MS, pendingTooLongSince, type Downtime } from './pending-too-long.js';
export { pendingStateOf, WORKER_GONE_AFTER_MS, type PendingState } from './pending-state.js';

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
export { decide, type AttemptFacts, type DeadReason, type Decision } from './decide.js';
export { asksForPause } from './asks-for-pause.js';
export { circuitMustOpen, nextProbeDelayMs, type FailureRun } from './circuit.js';
export { canReopen, canTransition, isFinal } from './delivery-states.js';
export { nextInLane, startsHeld, type LaneDelivery } from './lane.js';
export { createRoutingTable, type RoutableConsumer, type RoutingTable } from './routing-table.js';
export { route, type Routed, type RoutedEvent, type RoutingFault } from './route.js';

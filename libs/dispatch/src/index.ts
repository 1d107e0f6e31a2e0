export type { Addressed } from './accept/accept-batch.js';
export { AcceptService, type Acceptance } from './accept/accept.service.js';
export type { AcceptRequest } from './accept/prepared-change.js';
export { AttemptService, type JobEnd } from './attempt/attempt.service.js';
export { DispatchModule } from './dispatch.module.js';
export { VAULT } from './doors.js';
export { Reconciler } from './reconcile/reconciler.js';
export { USER_AGENT, VERSION } from './user-agent.js';

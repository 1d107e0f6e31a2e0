export type { Addressed } from './accept/accept-batch.js';
export { AcceptService, type Acceptance } from './accept/accept.service.js';
export type { AcceptRequest } from './accept/prepared-change.js';
export { DeliveryActs } from './acts/delivery-acts.service.js';
export type { EventSent } from './acts/send-event.js';
export { awaitPostgres } from './await-postgres.js';
export { PickUp } from './attempt/pick-up.service.js';
export { StoppingError } from './attempt/slots.js';
export { CredentialCutOver, type CredentialParts } from './credentials/credential-cut-over.js';
export {
  keysInUse,
  reencryptCredentials,
  type Reencrypted,
  type Unreadable,
} from './credentials/reencrypt-credentials.js';
export { DispatchModule } from './dispatch.module.js';
export { VAULT } from './doors.js';
export { Gatekeeper } from './gate/gatekeeper.js';
export { BULK_WORK } from './schedules/bulk-work.js';
export {
  SignatureComparer,
  type CompareRequest,
  type SignatureComparison,
} from './signature/signature-comparer.js';
export {
  SignatureExplainer,
  type ExplainRequest,
  type SignatureExplanation,
} from './signature/signature-explainer.js';
export { Reconciler } from './schedules/reconciler.js';
export { Scheduler } from './schedules/scheduler.js';
export { Statistician, type WorkerCondition } from './statistics/statistician.js';
export { TestDelivery, type Tested, type TestRequest } from './test-delivery/test-delivery.js';
export { USER_AGENT, VERSION } from './user-agent.js';

export { compareBody, notificationIdIn, type BodyComparison } from './comparison/compare-body.js';
export {
  compareSignature,
  MOST_HMACS,
  type Comparison,
  type Difference,
  type GivenSignature,
} from './comparison/compare-signature.js';
export { readSignature, type ReadSignature } from './comparison/read-signature.js';
export type { KnownSecret } from './comparison/secret-variations.js';
export { VARIATION_CODES, type VariationCode } from './comparison/variation.js';
export { notificationHeaders, timestampAt, type NotificationToSend } from './notification-headers.js';
export { signedHeaders } from './signed-headers.js';
export { USER_AGENT, VERSION } from './user-agent.js';
export { signNotification, stringToSign, VERB, type SignedParts } from './sign-notification.js';
export { pastedNotes, signatureNotes, type PastedFacts, type SignatureFacts } from './signature-notes.js';
export {
  verifyBasic,
  verifyNotification,
  type ReceivedNotification,
  type Verification,
  type VerificationFault,
} from './verify-notification.js';

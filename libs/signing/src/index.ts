export { notificationHeaders, timestampAt, type NotificationToSend } from './notification-headers.js';
export { signNotification, stringToSign, VERB, type SignedParts } from './sign-notification.js';
export { signatureNotes, type SignatureFacts } from './signature-notes.js';
export {
  verifyBasic,
  verifyNotification,
  type ReceivedNotification,
  type Verification,
  type VerificationFault,
} from './verify-notification.js';

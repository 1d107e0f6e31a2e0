export { notificationHeaders, timestampAt, type NotificationToSend } from './notification-headers.js';
export { signNotification, stringToSign, type SignedParts } from './sign-notification.js';
export {
  verifyBasic,
  verifyNotification,
  type ReceivedNotification,
  type Verification,
  type VerificationFault,
} from './verify-notification.js';

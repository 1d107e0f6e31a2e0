/** The product's name for consumers; a test compares the version with package.json. */
export const VERSION = '0.1.0';
export const USER_AGENT = `payment-notification-dispatcher/${VERSION}`;

/** Names the product to consumers; the version is that of package.json, held together by a test. */
export const VERSION = '0.1.0';
export const USER_AGENT = `payment-notification-dispatcher/${VERSION}`;

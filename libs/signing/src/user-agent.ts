import { VERSION } from '#libs/contracts';

/** The product's name for consumers. */
export const USER_AGENT = `payment-notification-dispatcher/${VERSION}`;

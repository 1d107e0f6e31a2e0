/** First key of the advisory locks with which the end of a session waits for the accepts that have seen it open. */
export const SESSION_END_LOCK = 0x73657373;
/** Number of values of the second key, a hash of the consumer: few, so no transaction fills the lock table. */
export const SESSION_END_BUCKETS = 64;

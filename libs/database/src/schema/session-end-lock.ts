/**
 * The advisory locks by which the end of a session waits for the accepts that rely on it: the first key of the two is the
 * same for all. The second is a consumer's hash, cut to so many values that no transaction fills PostgreSQL's lock table.
 */
export const SESSION_END_LOCK = 0x73657373;
export const SESSION_END_BUCKETS = 64;

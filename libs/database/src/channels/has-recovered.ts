import { sql } from 'kysely';

/**
 * Whether a consumer (`consumer_runtime r`) accepts deliveries again since its issue (`health_issues i`) was opened. The end of
 * the issue does not say so: a pause, or a person, ends it, too.
 */
export const HAS_RECOVERED = sql<boolean>`(r.circuit_opened_at is null and r.last_success_at > i.opened_at)`;

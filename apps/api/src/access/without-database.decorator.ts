import { SetMetadata } from '@nestjs/common';

/** Metadata key of routes that a session may call while PostgreSQL is unreachable. */
export const WITHOUT_DATABASE = 'dispatcher:without-database';

/**
 * Marks a route that does not need PostgreSQL. It accepts a session by its signature alone while the session's key
 * cannot be looked up. That key may just have been revoked, so the route must return nothing that needs a valid key.
 */
export const AnswersWithoutDatabase = (): MethodDecorator => SetMetadata(WITHOUT_DATABASE, true);

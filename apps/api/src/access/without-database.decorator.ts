import { SetMetadata } from '@nestjs/common';

/** Metadata key of routes that a session may call while PostgreSQL is unreachable. */
export const WITHOUT_DATABASE = 'dispatcher:without-database';

/**
 * A route that answers without PostgreSQL. A session's signature is enough for it when the key cannot be looked up,
 * so it may say nothing that a key revoked a moment ago must not read.
 */
export const AnswersWithoutDatabase = (): MethodDecorator => SetMetadata(WITHOUT_DATABASE, true);

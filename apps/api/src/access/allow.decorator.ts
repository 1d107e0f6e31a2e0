import type { Role } from '#libs/contracts';
import { SetMetadata, applyDecorators } from '@nestjs/common';
import { ApiBearerAuth, ApiCookieAuth } from '@nestjs/swagger';
import { Refuses } from '../http/refuses.js';

/** Metadata key of the roles that may call a route. */
export const ALLOWED_ROLES = 'dispatcher:allowed-roles';

/** Lets these roles, and those that include them, call a route. A route without it is closed to every caller. */
export const Allow = (...roles: Role[]): ClassDecorator & MethodDecorator =>
  applyDecorators(
    SetMetadata(ALLOWED_ROLES, roles),
    ApiBearerAuth(),
    ApiCookieAuth(),
    Refuses({
      401: 'The API key is missing, unknown, expired or revoked, or the session has ended.',
      403: 'The API key’s roles do not allow this, or a session’s request came from another site.',
      429: 'This key sends too many requests, or too many of this kind are open; `Retry-After` says when to send it again.',
    }),
  );

import type { Role } from '#libs/contracts';
import { SetMetadata, UseInterceptors, applyDecorators } from '@nestjs/common';
import { ApiBearerAuth, ApiCookieAuth, ApiExtension } from '@nestjs/swagger';
import { Refuses } from '../http/routes.js';
import { ScopeBoundary } from './scope-boundary.interceptor.js';

/** Metadata key of the roles that may call a route. */
export const ALLOWED_ROLES = 'dispatcher:allowed-roles';

/**
 * Allows callers with one of these roles, or a role that includes one. A route without it refuses every caller. A route
 * for the role `consumer` has the boundary of its scope.
 */
export const Allow = (...roles: Role[]): ClassDecorator & MethodDecorator =>
  applyDecorators(
    SetMetadata(ALLOWED_ROLES, roles),
    ...(roles.includes('consumer') ? [UseInterceptors(ScopeBoundary)] : []),
    ApiExtension('x-roles', roles),
    ApiBearerAuth(),
    ApiCookieAuth(),
    Refuses({
      401: 'The API key is missing, unknown, expired or revoked, or the session has ended.',
      403: 'The caller’s roles do not allow this, or another site’s page sent a request with the session.',
    }),
  );

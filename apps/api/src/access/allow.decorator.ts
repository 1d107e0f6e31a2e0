import type { Role } from '#libs/contracts';
import { SetMetadata, applyDecorators } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiCookieAuth,
  ApiForbiddenResponse,
  ApiTooManyRequestsResponse,
  ApiUnauthorizedResponse,
} from '@nestjs/swagger';
import { PROBLEM_RESPONSE } from '../http/problem-response.js';

/** Metadata key of the roles that may call a route. */
export const ALLOWED_ROLES = 'dispatcher:allowed-roles';

/** Lets these roles, and those that include them, call a route. A route without it is closed to everybody. */
export const Allow = (...roles: Role[]): ClassDecorator & MethodDecorator =>
  applyDecorators(
    SetMetadata(ALLOWED_ROLES, roles),
    ApiBearerAuth(),
    ApiCookieAuth(),
    ApiUnauthorizedResponse(
      PROBLEM_RESPONSE('The API key is missing, unknown, expired or revoked, or the session has ended.'),
    ),
    ApiForbiddenResponse(
      PROBLEM_RESPONSE(
        'The API key’s roles do not allow this, or a session’s request came from another site.',
      ),
    ),
    ApiTooManyRequestsResponse(
      PROBLEM_RESPONSE(
        'This key asks too often, or too much of the kind is under way; `Retry-After` says when to ask again.',
      ),
    ),
  );

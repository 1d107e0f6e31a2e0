import type { Role } from '#libs/contracts';
import { PUBLIC } from '#libs/observability';
import {
  ForbiddenException,
  Injectable,
  UnauthorizedException,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { Sessions } from '../session/sessions.service.js';
import { ALLOWED_ROLES } from './allow.decorator.js';
import { mayActAs, type Caller, type RequestWithCaller } from './caller.js';
import { KeyRing } from './key-ring.service.js';
import { presentedBy, type Presented } from './presented-key.js';
import { WITHOUT_DATABASE } from './without-database.decorator.js';

/** Guards every route: who calls, and whether one of its roles may. A route that names no role is closed. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly keyRing: KeyRing,
    private readonly sessions: Sessions,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const places = [context.getHandler(), context.getClass()];
    if (this.reflector.getAllAndOverride<boolean | undefined>(PUBLIC, places) === true) return true;
    const request = context.switchToHttp().getRequest<RequestWithCaller>();
    const withoutDatabase = this.reflector.getAllAndOverride<boolean | undefined>(WITHOUT_DATABASE, places);
    const caller = await this.callerOf(presentedBy(request.headers), withoutDatabase === true);
    const roles = this.reflector.getAllAndOverride<Role[] | undefined>(ALLOWED_ROLES, places) ?? [];
    if (!mayActAs(caller, roles)) {
      throw new ForbiddenException(`This needs one of the roles: ${roles.join(', ') || 'none'}.`);
    }
    request.caller = caller;
    return true;
  }

  private async callerOf(presented: Presented, withoutDatabase: boolean): Promise<Caller> {
    if (presented.kind === 'session') {
      const caller = await this.sessions.callerOf(presented.token, withoutDatabase);
      if (caller === null) throw new UnauthorizedException('The session has ended. Sign in again.');
      return caller;
    }
    const caller = await this.keyRing.callerOf(presented.key);
    if (caller === null) throw new UnauthorizedException('The API key is unknown, expired or revoked.');
    return caller;
  }
}

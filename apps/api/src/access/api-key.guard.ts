import type { Role } from '#libs/contracts';
import { PUBLIC } from '#libs/observability';
import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ALLOWED_ROLES } from './allow.decorator.js';
import { demandRole, type RequestWithCaller } from './caller.js';
import { Callers } from './callers.service.js';
import { WITHOUT_DATABASE } from './without-database.decorator.js';

/** Authenticates and authorizes the caller of every route that is not public. A route without roles is closed. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly callers: Callers,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const places = [context.getHandler(), context.getClass()];
    if (this.reflector.getAllAndOverride<boolean | undefined>(PUBLIC, places) === true) return true;
    const request = context.switchToHttp().getRequest<RequestWithCaller>();
    const withoutDatabase = this.reflector.getAllAndOverride<boolean | undefined>(WITHOUT_DATABASE, places);
    const caller = await this.callers.callerOf(request, withoutDatabase === true);
    const roles = this.reflector.getAllAndOverride<Role[] | undefined>(ALLOWED_ROLES, places) ?? [];
    demandRole(caller, roles);
    return true;
  }
}

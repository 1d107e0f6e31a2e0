import type { Role } from '#libs/contracts';
import { createParamDecorator, ForbiddenException, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Presented } from './presented-key.js';

/** The roles that a role includes. `consumer` includes none and is included by none. */
const INCLUDES: Readonly<Record<Role, readonly Role[]>> = {
  producer: [],
  viewer: [],
  oncall: ['viewer'],
  operator: ['oncall', 'viewer'],
  consumer: [],
  admin: ['producer', 'viewer', 'oncall', 'operator'],
};

/** Prefix of the names of people who signed in by OpenID Connect. No API key has a name with it. */
export const PERSON_PREFIX = 'openid:';

/** The authenticated caller of a request. */
export interface Caller {
  /**
   * The name of the API key: the producer's identity and the audit log's actor. Keys may share it. The name of a
   * person who signed in by OpenID Connect is `openid:<user name> (<subject>)`.
   */
  readonly name: string;
  /** Display name of a person who signed in by OpenID Connect; absent for an API key. */
  readonly person?: string;
  /** Granted roles, without the roles that they include. */
  readonly roles: readonly Role[];
  /** The consumer to which a key with the role `consumer` is bound; otherwise null. */
  readonly consumerId: string | null;
  /** Name of that consumer; absent without one. */
  readonly consumerName?: string;
}

/** Whether the caller has one of these roles, directly or by a role that includes it. */
export function mayActAs(caller: Caller, roles: readonly Role[]): boolean {
  return caller.roles.some(
    (role) => roles.includes(role) || INCLUDES[role].some((included) => roles.includes(included)),
  );
}

/** @throws ForbiddenException when the caller has none of these roles */
export function demandRole(caller: Caller, roles: readonly Role[]): void {
  if (mayActAs(caller, roles)) return;
  throw new ForbiddenException(`This needs one of the roles: ${roles.join(', ') || 'none'}.`);
}

/** The caller's granted roles and all roles that they include. */
export function effectiveRoles(caller: Caller): Role[] {
  return [...new Set(caller.roles.flatMap((role) => [role, ...INCLUDES[role]]))];
}

/** A request with the results of its authentication. */
export interface RequestWithCaller extends FastifyRequest {
  /** Set by the `onRequest` hook; null: the request presents neither a key nor a session. */
  presented?: Presented | null;
  /** Set before the body is read, or otherwise by the guard. */
  caller?: Caller;
}

/** The caller of the request. @throws Error on a route without the guard */
export function callerIn(context: ExecutionContext): Caller {
  const { caller } = context.switchToHttp().getRequest<RequestWithCaller>();
  if (caller === undefined) throw new Error('a handler asks for the caller on a route without the guard');
  return caller;
}

/** Injects the caller into a handler. */
export const CurrentCaller = createParamDecorator((_data: unknown, context: ExecutionContext): Caller =>
  callerIn(context),
);

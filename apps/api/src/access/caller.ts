import type { Role } from '#libs/contracts';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
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

/** What the names of people begin with who signed in by OpenID Connect, and no key's. */
export const PERSON_PREFIX = 'openid:';

/** Who makes a request. */
export interface Caller {
  /**
   * The name of the API key: the producer's identity, the actor of the audit log. Keys may share it. A person's, who
   * signed in by OpenID Connect, is `openid:<user name> (<subject>)`.
   */
  readonly name: string;
  /** What such a person is called; absent: it is an API key. */
  readonly person?: string;
  /** As granted. */
  readonly roles: readonly Role[];
  /** The consumer that a key of the role `consumer` is bound to. */
  readonly consumerId: string | null;
}

/** Whether one of the caller's roles is, or includes, one of these. */
export function mayActAs(caller: Caller, roles: readonly Role[]): boolean {
  return caller.roles.some(
    (role) => roles.includes(role) || INCLUDES[role].some((included) => roles.includes(included)),
  );
}

/** Every role that the caller's keys amount to. */
export function effectiveRoles(caller: Caller): Role[] {
  return [...new Set(caller.roles.flatMap((role) => [role, ...INCLUDES[role]]))];
}

/** A request with what authentication found out. */
export interface RequestWithCaller extends FastifyRequest {
  /** Read by the first hook; null: the request presents neither a key nor a session. */
  presented?: Presented | null;
  /** Found before the body is read, or else by the guard. */
  caller?: Caller;
}

/** Hands the caller to a handler. */
export const CurrentCaller = createParamDecorator((_data: unknown, context: ExecutionContext): Caller => {
  const { caller } = context.switchToHttp().getRequest<RequestWithCaller>();
  if (caller === undefined) throw new Error('a handler asks for the caller on a route without the guard');
  return caller;
});

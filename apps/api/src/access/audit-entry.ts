import type { AuditAction } from '#libs/contracts';
import type { AuditEntry } from '#libs/database';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Caller, RequestWithCaller } from './caller.js';

/** A caller who changes something, and from where. */
export interface Actor extends Caller {
  /** The client's address. */
  readonly address: string;
}

/** What was done; `details`, `before` and `after` never hold a secret. */
export interface Deed {
  readonly action: AuditAction;
  /** Kind and id, as `consumer:<id>`. */
  readonly target: string;
  readonly reason?: string | undefined;
  readonly details?: Readonly<Record<string, unknown>>;
  /** Of a change: only what differs. */
  readonly before?: Readonly<Record<string, unknown>>;
  readonly after?: Readonly<Record<string, unknown>>;
}

/** The entry in the audit log for what a caller does; every controller's entries are made here. */
export const auditEntry = (actor: Actor, { reason, details = {}, ...deed }: Deed): AuditEntry => ({
  ...deed,
  actor: actor.name,
  role: actor.roles.join(', '),
  address: actor.address,
  ...(reason === undefined ? {} : { reason }),
  details,
});

/** Hands the acting caller to a handler. */
export const CurrentActor = createParamDecorator((_data: unknown, context: ExecutionContext): Actor => {
  const { caller, ip } = context.switchToHttp().getRequest<RequestWithCaller>();
  if (caller === undefined) throw new Error('a handler asks for the actor on a route without the guard');
  return { ...caller, address: ip };
});

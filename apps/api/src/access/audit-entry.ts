import type { AuditAction } from '#libs/contracts';
import type { AuditEntry } from '#libs/database';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { callerIn, type Caller, type RequestWithCaller } from './caller.js';

/** A caller who changes something, with the client's address. */
export interface Actor extends Caller {
  /** The client's address. */
  readonly address: string;
}

/** An audited change. `details`, `before` and `after` never contain a secret. */
export interface AuditedAction {
  readonly action: AuditAction;
  /** Kind and id, for example `consumer:<id>`. */
  readonly target: string;
  readonly reason?: string | undefined;
  readonly details?: Readonly<Record<string, unknown>>;
  /** Only the fields that the change modified. */
  readonly before?: Readonly<Record<string, unknown>>;
  readonly after?: Readonly<Record<string, unknown>>;
}

/** Builds the audit log entry of a change; all audit entries of requests are built here. */
export const auditEntry = (actor: Actor, { reason, details = {}, ...action }: AuditedAction): AuditEntry => ({
  ...action,
  actor: actor.name,
  role: actor.roles.join(', '),
  address: actor.address,
  ...(reason === undefined ? {} : { reason }),
  // Consumers choose the names of their keys: the id shows whose key it was.
  details: actor.consumerId === null ? details : { ...details, actorOf: `consumer:${actor.consumerId}` },
});

/** Injects the caller with the client's address into a handler. */
export const CurrentActor = createParamDecorator((_data: unknown, context: ExecutionContext): Actor => ({
  ...callerIn(context),
  address: context.switchToHttp().getRequest<RequestWithCaller>().ip,
}));

import { createParamDecorator, ForbiddenException, type ExecutionContext } from '@nestjs/common';
import { callerIn, type Caller } from './caller.js';

/**
 * What a caller's requests concern, and in which words they are answered. The bank's people see every consumer. A
 * consumer's own people see theirs, without the names, reasons and settings of the bank's people.
 */
export interface Scope {
  /** The caller's own consumer; undefined for the bank's people. */
  readonly consumerId?: string;
}

/** A key that is bound to a consumer has no other role than `consumer`. */
export const scopeOf = ({ consumerId }: Caller): Scope => (consumerId === null ? {} : { consumerId });

/** Whether a consumer's objects are in the scope. Outside it they are answered like unknown ones. */
export const isWithin = (scope: Scope, consumerId: string): boolean =>
  scope.consumerId === undefined || scope.consumerId === consumerId;

/** Injects the caller's scope into a handler. */
export const InScope = createParamDecorator((_data: unknown, context: ExecutionContext): Scope =>
  scopeOf(callerIn(context)),
);

/** Injects the id of the caller's own consumer. @throws ForbiddenException for a key that is not bound to one */
export const OwnConsumer = createParamDecorator((_data: unknown, context: ExecutionContext): string => {
  const { consumerId } = callerIn(context);
  if (consumerId === null) throw new ForbiddenException('This key is not bound to a consumer.');
  return consumerId;
});

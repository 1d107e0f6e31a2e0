import { createParamDecorator, ForbiddenException, type ExecutionContext } from '@nestjs/common';
import type { RequestWithCaller } from '../caller.js';

/**
 * Injects the id of the caller's own consumer: the only source of a consumer's id in the portal. No path, query or body
 * of a portal's route has one. @throws ForbiddenException for a key that is not bound to a consumer
 */
export const OwnConsumer = createParamDecorator((_data: unknown, context: ExecutionContext): string =>
  ownConsumerOf(context),
);

/** The id of the caller's own consumer. @throws ForbiddenException for a key that is not bound to one */
export function ownConsumerOf(context: ExecutionContext): string {
  const { caller } = context.switchToHttp().getRequest<RequestWithCaller>();
  if (caller === undefined) throw new Error('a handler asks for the consumer on a route without the guard');
  if (caller.consumerId === null) throw new ForbiddenException('This key is not bound to a consumer.');
  return caller.consumerId;
}

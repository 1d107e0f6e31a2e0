import {
  ConflictException,
  Injectable,
  ServiceUnavailableException,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { catchError, type Observable } from 'rxjs';
import { CredentialsUnreadableError } from '../../secrets/opened-credentials.js';
import { ownConsumerOf } from './own-consumer.decorator.js';
import { PortalLimits } from './portal-limits.service.js';

/**
 * The boundary of every portal route: counts changes against the limit of the consumer, and replaces errors whose texts
 * are for operators. Those texts name keys of the keyring and addresses of the installation.
 */
@Injectable()
export class PortalBoundary implements NestInterceptor {
  constructor(private readonly limits: PortalLimits) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const { method } = context.switchToHttp().getRequest<{ method: string }>();
    const consumerId = ownConsumerOf(context);
    if (method !== 'GET' && method !== 'HEAD') await this.limits.countChange(consumerId);
    return next.handle().pipe(
      catchError((error: unknown) => {
        throw forConsumer(error);
      }),
    );
  }
}

function forConsumer(error: unknown): unknown {
  if (error instanceof CredentialsUnreadableError)
    return new ConflictException('The bank cannot read these credentials at the moment. Contact the bank.');
  if (error instanceof ServiceUnavailableException)
    return new ServiceUnavailableException('The bank cannot send at the moment. Try again.');
  return error;
}

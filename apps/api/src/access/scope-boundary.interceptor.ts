import {
  ConflictException,
  Injectable,
  NotFoundException,
  ServiceUnavailableException,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { catchError, type Observable } from 'rxjs';
import { CredentialsUnreadableError } from '../secrets/opened-credentials.js';
import { callerIn, type RequestWithCaller } from './caller.js';
import { PortalLimits } from './portal-limits.service.js';

/**
 * The boundary of every route that a consumer's own people may call (`Allow`). For them it answers the path of another
 * consumer like that of an unknown one, counts changes against the limit of the consumer, and replaces errors whose
 * texts are for operators. Those texts name keys of the keyring and addresses of the installation.
 */
@Injectable()
export class ScopeBoundary implements NestInterceptor {
  constructor(private readonly limits: PortalLimits) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const { consumerId } = callerIn(context);
    if (consumerId === null) return next.handle();
    const { method, params, routeOptions } = context
      .switchToHttp()
      .getRequest<RequestWithCaller & { readonly params: { readonly id?: string } }>();
    const isOfOneConsumer = routeOptions.url?.startsWith('/v1/consumers/:id') === true;
    if (isOfOneConsumer && params.id?.toLowerCase() !== consumerId)
      throw new NotFoundException('There is no such consumer.');
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

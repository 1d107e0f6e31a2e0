import { TestDelivery } from '#libs/dispatch';
import { LocalFaultError } from '#libs/egress';
import { UndecryptableError } from '#libs/vault';
import {
  ConflictException,
  HttpException,
  Injectable,
  NotFoundException,
  ServiceUnavailableException,
} from '@nestjs/common';
import { auditEntry, type Actor } from '../../access/audit-entry.js';
import type { TestConsumerDto, TestDeliveryDto } from './test-delivery.dto.js';

/** Test deliveries, for onboarding and for whoever is on call. */
@Injectable()
export class TryingService {
  constructor(private readonly testDelivery: TestDelivery) {}

  async test(id: string, body: TestConsumerDto, actor: Actor): Promise<TestDeliveryDto> {
    const tested = await this.testDelivery
      .send({
        consumerId: id,
        eventType: body.eventType,
        credentials: body.credentials ?? 'current',
        audit: (details) =>
          auditEntry(actor, { action: 'consumer.tested', target: `consumer:${id}`, details }),
      })
      .catch(refuse);
    switch (tested.kind) {
      case 'no_consumer':
        throw new NotFoundException('There is no such consumer.');
      case 'none_coming':
        throw new ConflictException(
          'No version of its credentials is coming. Add one with an activateAt, or test the current one.',
        );
      case 'too_many':
        throw new HttpException(
          'As many test deliveries as may run at once are under way. Wait for them to end.',
          429,
        );
      case 'sent': {
        const { exchange, notificationId, eventType, credentialVersion, url, advice } = tested;
        return {
          notificationId,
          eventType,
          credentialVersion,
          url,
          requestHeaders: { ...exchange.requestHeaders },
          body: tested.body,
          startedAt: exchange.sentAt.toISOString(),
          durationMs: exchange.durationMs,
          outcome: exchange.outcome,
          httpStatus: exchange.httpStatus,
          detail: exchange.detail,
          advice,
          responseHeaders: exchange.responseHeaders === null ? null : { ...exchange.responseHeaders },
          responseBody: exchange.responseBody,
          responseTruncated: exchange.responseTruncated,
          clockSkewMs: exchange.clockSkewMs,
        };
      }
    }
  }
}

function refuse(error: unknown): never {
  if (error instanceof UndecryptableError) throw new ConflictException(`${error.message}.`);
  if (error instanceof LocalFaultError) {
    throw new ServiceUnavailableException(
      `This process cannot send at the moment: ${error.message}. Try again.`,
    );
  }
  throw error;
}

import { StatisticsWriter } from '#libs/database';
import { LOGGER, Metrics, traceIdOf, type Logger } from '#libs/observability';
import { Inject, Injectable } from '@nestjs/common';
import type { Acceptance } from './accept-changes.js';
import type { PreparedChange } from './prepared-change.js';

/** Logs and counts accepted and repeated events. */
@Injectable()
export class AcceptLog {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly metrics: Metrics,
    private readonly statisticsWriter: StatisticsWriter,
  ) {}

  settled({ envelope, notificationId, traceparent }: PreparedChange, acceptance: Acceptance): void {
    if (acceptance.kind !== 'accepted') return;
    if (acceptance.duplicate) {
      this.metrics.eventsDuplicate.inc();
      return;
    }
    const { eventType, paymentId, status, warnings } = envelope;
    const { deliveries } = acceptance;
    this.metrics.eventsAccepted.inc({ event_type: eventType });
    this.statisticsWriter.counters.accepted(deliveries.map((delivery) => delivery.consumerId));
    if (deliveries.length === 0) this.metrics.eventsUnrouted.inc();
    for (const warning of warnings) this.metrics.contractWarnings.inc({ warning });
    this.logger.info(
      {
        notificationId,
        paymentId,
        eventType,
        status,
        deliveries: deliveries.length,
        warnings,
        traceId: traceparent === null ? undefined : traceIdOf(traceparent),
      },
      'event.accepted',
    );
  }

  /** Logs too many conflicts with concurrent transactions; the producer gets 503 and repeats the request. */
  gaveUp(fault: string): void {
    this.logger.warn({ fault }, 'accept.contended');
  }
}

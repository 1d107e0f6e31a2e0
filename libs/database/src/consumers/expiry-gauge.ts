import { CERTIFICATE_USES } from '#libs/contracts';
import { certificateState, WATCH_BEFORE_MS } from '#libs/policy';
import { faultText, LOGGER, Metrics, type Logger } from '#libs/observability';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { CertificatesRepository } from './certificates.repository.js';

const EVERY_MS = 60_000;

/** Counts certificates that expire soon, in every process, each minute: so no scrape waits for PostgreSQL. */
@Injectable()
export class ExpiryGauge implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private counting: Promise<void> = Promise.resolve();

  constructor(
    private readonly certificates: CertificatesRepository,
    private readonly metrics: Metrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.counting = this.count();
    this.timer = setInterval(() => {
      this.counting = this.counting.then(() => this.count());
    }, EVERY_MS).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.counting;
  }

  /** Never rejects: after a failure the gauges keep their values until the next successful count. */
  private async count(): Promise<void> {
    const now = new Date();
    try {
      const ending = await this.certificates.endingWithin(WATCH_BEFORE_MS);
      for (const use of CERTIFICATE_USES) {
        for (const state of ['expiring', 'expired'] as const) {
          const counted = ending.filter(
            (one) => one.use === use && certificateState(new Date(one.certificate.notAfter), now) === state,
          );
          this.metrics.certificatesEnding.set({ use, state }, counted.length);
        }
      }
    } catch (error) {
      this.logger.warn({ fault: faultText(error) }, 'certificates.count_failed');
    }
  }
}

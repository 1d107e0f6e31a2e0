import type { CertificateFacts } from '#libs/contracts';
import { faultText, LOGGER, type Logger } from '#libs/observability';
import { Inject, Injectable } from '@nestjs/common';
import { CertificatesRepository } from './certificates.repository.js';

/** Maximum number of remembered certificates, one a consumer. A forgotten one is only written once more. */
const MAX_REMEMBERED = 10_000;

/** Stores servers' certificates that are new to this process. It runs after an attempt and never delays it. */
@Injectable()
export class ServerCertificateStore {
  private readonly noted = new Map<string, string>();

  constructor(
    private readonly certificates: CertificatesRepository,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** @param exchange result of a POST to `url` */
  note(
    consumerId: string,
    url: string,
    { serverCertificate }: { readonly serverCertificate: CertificateFacts | null },
  ): void {
    if (serverCertificate === null) return;
    const { origin } = new URL(url);
    const key = `${origin} ${serverCertificate.fingerprint}`;
    if (this.noted.get(consumerId) === key) return;
    this.noted.set(consumerId, key);
    const [oldest] = this.noted.keys();
    if (this.noted.size > MAX_REMEMBERED && oldest !== undefined) this.noted.delete(oldest);
    this.certificates.noteServer(consumerId, origin, serverCertificate).catch((error: unknown) => {
      this.noted.delete(consumerId);
      this.logger.warn({ consumerId, fault: faultText(error) }, 'certificate.record_failed');
    });
  }
}

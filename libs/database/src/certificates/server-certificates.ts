import type { CertificateFacts } from '#libs/contracts';
import { faultText, LOGGER, type Logger } from '#libs/observability';
import { Inject, Injectable } from '@nestjs/common';
import { CertificatesRepository } from './certificates.repository.js';

/** Consumers whose last certificate is remembered; the one noted first goes first, and is written once more. */
const MAX_REMEMBERED = 10_000;

/** Writes down what consumers' servers present, when it is new to this process: after an attempt, and never in its way. */
@Injectable()
export class ServerCertificateStore {
  private readonly noted = new Map<string, string>();

  constructor(
    private readonly certificates: CertificatesRepository,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** @param exchange what a POST to `url` came to */
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
      this.logger.warn(
        { consumerId, fault: faultText(error) },
        'a server’s certificate was not noted; the next attempt does',
      );
    });
  }
}

import { pageOf, paginated } from '#libs/contracts';
import { CertificatesRepository, ConsumerHealths, ConsumersRepository, type Listed } from '#libs/database';
import { Injectable, NotFoundException, type StreamableFile } from '@nestjs/common';
import { streamedAnswer } from '../../http/streamed-answer.js';
import type { ConsumersQueryDto } from './consumers-query.dto.js';
import type { ConsumerDto } from './consumer.dto.js';
import { consumerView } from './consumer-view.js';

/** Reads consumers, without their secrets. */
@Injectable()
export class ConsumersService {
  constructor(
    private readonly consumers: ConsumersRepository,
    private readonly certificates: CertificatesRepository,
    private readonly healths: ConsumerHealths,
  ) {}

  /** @returns a streamed `ConsumerListDto` */
  async list(query: ConsumersQueryDto): Promise<StreamableFile> {
    const page = pageOf(query);
    const { consumers, pagination } = paginated('consumers', await this.consumers.list(query, page), page);
    return streamedAnswer({ name: 'consumers', records: this.listed(consumers), after: { pagination } });
  }

  private async *listed(page: readonly Listed[]): AsyncGenerator<string[]> {
    for await (const rows of this.consumers.listed(page)) {
      const ids = rows.map(({ id }) => id);
      const [certificates, judged] = await Promise.all([this.certificates.of(ids), this.healths.of(ids)]);
      const inUse = Map.groupBy(certificates, (one) => one.consumerId);
      const health = new Map(judged.map((one) => [one.id, one]));
      yield rows.flatMap((row) => {
        const own = health.get(row.id);
        // The consumer has been removed meanwhile.
        return own === undefined ? [] : JSON.stringify(consumerView(row, inUse.get(row.id) ?? [], own));
      });
    }
  }

  async read(id: string): Promise<ConsumerDto> {
    const [row, certificates, judged] = await Promise.all([
      this.consumers.find(id),
      this.certificates.of([id]),
      this.healths.of([id]),
    ]);
    const [own] = judged;
    if (row === undefined || own === undefined) throw new NotFoundException('There is no such consumer.');
    return consumerView(row, certificates, own);
  }
}

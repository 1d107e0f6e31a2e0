import { pageOf, paginated, type PageQueryDto } from '#libs/contracts';
import { CertificatesRepository, ConsumersRepository, type Listed } from '#libs/database';
import { Injectable, NotFoundException, type StreamableFile } from '@nestjs/common';
import { streamedAnswer } from '../http/streamed-answer.js';
import type { ConsumerDto } from './consumer.dto.js';
import { consumerView } from './consumer-view.js';

/** Consumers as operators see them: no secret comes out. */
@Injectable()
export class ConsumersService {
  constructor(
    private readonly consumers: ConsumersRepository,
    private readonly certificates: CertificatesRepository,
  ) {}

  /** As a `ConsumerListDto`. */
  async list(query: PageQueryDto): Promise<StreamableFile> {
    const page = pageOf(query);
    const { consumers, pagination } = paginated('consumers', await this.consumers.list(page), page);
    return streamedAnswer({ name: 'consumers', records: this.listed(consumers), after: { pagination } });
  }

  private async *listed(page: readonly Listed[]): AsyncGenerator<string[]> {
    for await (const rows of this.consumers.listed(page)) {
      const ids = rows.map(({ id }) => id);
      const inUse = Map.groupBy(await this.certificates.of(ids), (one) => one.consumerId);
      yield rows.map((row) => JSON.stringify(consumerView(row, inUse.get(row.id) ?? [])));
    }
  }

  async read(id: string): Promise<ConsumerDto> {
    const row = await this.consumers.find(id);
    if (row === undefined) throw new NotFoundException('There is no such consumer.');
    return consumerView(row, await this.certificates.of([id]));
  }
}

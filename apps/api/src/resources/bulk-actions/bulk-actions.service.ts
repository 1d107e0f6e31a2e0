import { pageOf, paginated, type PageQueryDto } from '#libs/contracts';
import { BulkActionsRepository } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { bulkActionView } from './bulk-action-view.js';
import type { BulkActionDto, BulkActionListDto, BulkPreviewDto } from './bulk-action.dto.js';
import { checkFilter } from './check-filter.js';
import type { StartBulkActionDto } from './start-bulk-action.dto.js';
import { found } from '../../http/found.js';

/** Previews, lists and reads bulk actions. */
@Injectable()
export class BulkActionsService {
  constructor(private readonly actions: BulkActionsRepository) {}

  async preview({ action, filter }: StartBulkActionDto): Promise<BulkPreviewDto> {
    checkFilter(filter);
    return { action, matched: await this.actions.count(action, filter) };
  }

  async list(query: PageQueryDto): Promise<BulkActionListDto> {
    const page = pageOf(query);
    return paginated('bulkActions', (await this.actions.list(page)).map(bulkActionView), page);
  }

  async read(id: string): Promise<BulkActionDto> {
    const row = found(await this.actions.find(id), 'bulk action');
    return bulkActionView(row);
  }
}

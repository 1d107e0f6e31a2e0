import type { PageQueryDto } from '#libs/contracts';
import { Injectable, NotImplementedException } from '@nestjs/common';
import type { Actor } from '../access/actor.js';
import type { BulkActionDto, BulkActionListDto, BulkPreviewDto } from './bulk-action.dto.js';
import type { StartBulkActionDto } from './start-bulk-action.dto.js';

@Injectable()
export class BulkActionsService {
  preview(_body: StartBulkActionDto): Promise<BulkPreviewDto> {
    throw new NotImplementedException('Soon.');
  }

  start(_body: StartBulkActionDto, _actor: Actor): Promise<BulkActionDto> {
    throw new NotImplementedException('Soon.');
  }

  list(_query: PageQueryDto): Promise<BulkActionListDto> {
    throw new NotImplementedException('Soon.');
  }

  read(_id: string): Promise<BulkActionDto> {
    throw new NotImplementedException('Soon.');
  }

  stop(_id: string, _reason: string, _actor: Actor): Promise<BulkActionDto> {
    throw new NotImplementedException('Soon.');
  }
}

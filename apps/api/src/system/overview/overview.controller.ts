import { Get } from '@nestjs/common';
import { Allow } from '../../access/allow.decorator.js';
import { Routes } from '../../http/routes.js';
import { OverviewDto } from './overview.dto.js';
import { OverviewService } from './overview.service.js';

@Routes({ path: 'overview', tag: 'system' })
export class OverviewController {
  constructor(private readonly overview: OverviewService) {}

  /** Read figures, backlog, consumers that need attention, workers */
  @Get()
  @Allow('viewer')
  readOverview(): Promise<OverviewDto> {
    return this.overview.read();
  }
}

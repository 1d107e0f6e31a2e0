import { Injectable, NotImplementedException } from '@nestjs/common';
import type { StatsQueryDto } from './stats-query.dto.js';
import type { StatsDto } from './stats.dto.js';

@Injectable()
export class StatsService {
  read(_query: StatsQueryDto): Promise<StatsDto> {
    throw new NotImplementedException('Not yet.');
  }
}

import { Injectable, NotImplementedException } from '@nestjs/common';
import type { FailureListDto, FailuresQueryDto } from './failures.dto.js';

@Injectable()
export class FailuresService {
  async list(_id: string, _query: FailuresQueryDto): Promise<FailureListDto> {
    throw new NotImplementedException();
  }
}

import { Injectable, NotImplementedException } from '@nestjs/common';
import type { Actor } from '../../access/audit-entry.js';
import type { ExplainSignatureDto, SignatureExplanationDto } from './signature.dto.js';

@Injectable()
export class SignatureService {
  async explain(_id: string, _body: ExplainSignatureDto, _actor: Actor): Promise<SignatureExplanationDto> {
    throw new NotImplementedException();
  }
}

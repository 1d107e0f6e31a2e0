import { Injectable, NotImplementedException } from '@nestjs/common';
import type { Actor } from '../../access/audit-entry.js';
import type {
  AddCredentialsDto,
  CredentialListDto,
  CredentialsAddedDto,
  CredentialVersionDto,
} from './credentials.dto.js';

@Injectable()
export class CredentialsService {
  async add(_id: string, _body: AddCredentialsDto, _actor: Actor): Promise<CredentialsAddedDto> {
    throw new NotImplementedException();
  }
  async list(_id: string): Promise<CredentialListDto> {
    throw new NotImplementedException();
  }
  async activate(
    _id: string,
    _version: number,
    _reason: string | undefined,
    _actor: Actor,
  ): Promise<CredentialVersionDto> {
    throw new NotImplementedException();
  }
  async drop(_id: string, _version: number, _actor: Actor): Promise<void> {
    throw new NotImplementedException();
  }
}

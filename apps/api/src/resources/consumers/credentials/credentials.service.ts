import { ConsumersRepository, credentialVersions, Database } from '#libs/database';
import { Injectable, NotFoundException } from '@nestjs/common';
import type { Scope } from '../../../access/scope.js';
import type { CredentialListDto } from './credentials.dto.js';
import { versionView } from './version-view.js';

/** Lists the versions of a consumer's credentials, without their values. */
@Injectable()
export class CredentialsService {
  constructor(
    private readonly db: Database,
    private readonly consumers: ConsumersRepository,
  ) {}

  async list(id: string, scope: Scope): Promise<CredentialListDto> {
    const versions = await credentialVersions(this.db, id);
    if (versions.length === 0 && (await this.consumers.find(id)) === undefined)
      throw new NotFoundException('There is no such consumer.');
    return { credentials: versions.map((version) => versionView(version, scope)) };
  }
}

import { Body, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { Allow } from '../../../access/allow.decorator.js';
import { InScope, type Scope } from '../../../access/scope.js';
import { CurrentActor, type Actor } from '../../../access/audit-entry.js';
import { OptionalReasonDto } from '../../../http/reason.dto.js';
import { Action, Id, Refuses, Routes } from '../../../http/routes.js';
import {
  AddCredentialsDto,
  CredentialListDto,
  CredentialsAddedDto,
  CredentialVersionDto,
} from './credentials.dto.js';
import { ActivateCredentials } from './activate-credentials.js';
import { AddCredentials } from './add-credentials.js';
import { DropCredentials } from './drop-credentials.js';
import { CredentialsService } from './credentials.service.js';
import { versionView } from './version-view.js';
import { versionParameter } from './version.pipe.js';

const NO_VERSION = 'There is no such consumer, or no such version of its credentials.';

/**
 * Versions of a consumer's credentials. The consumer's own people replace theirs, except the client certificate, which
 * is the bank's: a version with another one than the version in force is neither activated nor dropped by them.
 */
@Routes({ path: 'consumers/:id/credentials', tag: 'consumers' })
export class CredentialsController {
  constructor(
    private readonly credentials: CredentialsService,
    private readonly add: AddCredentials,
    private readonly activate: ActivateCredentials,
    private readonly drop: DropCredentials,
  ) {}

  /**
   * Add a version of the credentials
   * @remarks From `activateAt` on, every attempt of every worker uses it. Absent parts are carried over from the
   * version in force. Only one version can be coming at a time.
   */
  @Post()
  @Allow('operator', 'consumer')
  @Refuses({ 409: 'Another version is already coming, or the version in force cannot be decrypted.' })
  async addCredentials(
    @Id() id: string,
    @Body() body: AddCredentialsDto,
    @CurrentActor() actor: Actor,
    @InScope() scope: Scope,
  ): Promise<CredentialsAddedDto> {
    const { version, signingSecret } = await this.add.execute(id, body, actor);
    return { ...versionView(version, scope), ...(signingSecret === undefined ? {} : { signingSecret }) };
  }

  /** List the versions of the credentials, without their values */
  @Get()
  @Allow('viewer', 'consumer')
  listCredentials(@Id() id: string, @InScope() scope: Scope): Promise<CredentialListDto> {
    return this.credentials.list(id, scope);
  }

  /**
   * Activate a coming or former version now
   * @remarks A coming version becomes current before its time, or a former version becomes current again. Activating
   * the current version changes nothing.
   */
  @Action(':version/activate')
  @Allow('operator', 'consumer')
  @Refuses({
    404: NO_VERSION,
    409: 'The version cannot be decrypted, or, for the consumer’s own people, has another client certificate.',
  })
  async activateCredentials(
    @Id() id: string,
    @Param('version', versionParameter) version: number,
    @Body() body: OptionalReasonDto,
    @CurrentActor() actor: Actor,
    @InScope() scope: Scope,
  ): Promise<CredentialVersionDto> {
    return versionView(await this.activate.execute(id, version, body, actor), scope);
  }

  /** Drop a coming version */
  @Delete(':version')
  @HttpCode(204)
  @Allow('operator', 'consumer')
  @Refuses({
    404: NO_VERSION,
    409: 'The version is or was in force; only a coming version can be dropped. Or, for the consumer’s own people, it has another client certificate.',
  })
  dropCredentials(
    @Id() id: string,
    @Param('version', versionParameter) version: number,
    @CurrentActor() actor: Actor,
  ): Promise<void> {
    return this.drop.execute(id, version, actor);
  }
}

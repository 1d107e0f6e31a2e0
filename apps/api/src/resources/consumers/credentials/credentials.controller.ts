import { Body, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { Allow } from '../../../access/allow.decorator.js';
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

/** Versions of a consumer's credentials. */
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
  @Allow('operator')
  @Refuses({ 409: 'Another version is already coming, or the version in force cannot be decrypted.' })
  async addCredentials(
    @Id() id: string,
    @Body() body: AddCredentialsDto,
    @CurrentActor() actor: Actor,
  ): Promise<CredentialsAddedDto> {
    const { version, signingSecret } = await this.add.execute(id, body, actor);
    return { ...versionView(version), ...(signingSecret === undefined ? {} : { signingSecret }) };
  }

  /** List the versions of the credentials, without their values */
  @Get()
  @Allow('viewer')
  listCredentials(@Id() id: string): Promise<CredentialListDto> {
    return this.credentials.list(id);
  }

  /**
   * Activate a coming or former version now
   * @remarks A coming version becomes current before its time, or a former version becomes current again. Activating
   * the current version changes nothing.
   */
  @Action(':version/activate')
  @Allow('operator')
  @Refuses({ 404: NO_VERSION, 409: 'The version cannot be decrypted.' })
  async activateCredentials(
    @Id() id: string,
    @Param('version', versionParameter) version: number,
    @Body() body: OptionalReasonDto,
    @CurrentActor() actor: Actor,
  ): Promise<CredentialVersionDto> {
    return versionView(await this.activate.execute(id, version, body, actor));
  }

  /** Drop a coming version */
  @Delete(':version')
  @HttpCode(204)
  @Allow('operator')
  @Refuses({ 404: NO_VERSION, 409: 'The version is or was in force; only a coming version can be dropped.' })
  dropCredentials(
    @Id() id: string,
    @Param('version', versionParameter) version: number,
    @CurrentActor() actor: Actor,
  ): Promise<void> {
    return this.drop.execute(id, version, actor);
  }
}

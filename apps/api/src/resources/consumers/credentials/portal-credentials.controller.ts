import { credentialVersions, Database, type CredentialVersion } from '#libs/database';
import { Body, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { CurrentActor, type Actor } from '../../../access/audit-entry.js';
import { versionParameter } from './version.pipe.js';
import { InvalidContentError } from '../../../http/invalid-input.js';
import { OptionalReasonDto } from '../../../http/reason.dto.js';
import { Action, Refuses } from '../../../http/routes.js';
import { ActivateCredentials } from './activate-credentials.js';
import { AddCredentials } from './add-credentials.js';
import { DropCredentials } from './drop-credentials.js';
import { OwnConsumer } from '../../../access/portal/own-consumer.decorator.js';
import { Portal } from '../../../access/portal/portal-route.decorator.js';
import {
  AddPortalCredentialsDto,
  PortalCredentialListDto,
  PortalCredentialsAddedDto,
  PortalCredentialVersionDto,
} from './portal-credentials.dto.js';

const NO_VERSION = 'There is no such version of the credentials.';

/** Versions of the own credentials. A client certificate is the bank's: it is neither shown nor changed here. */
@Portal('credentials')
export class PortalCredentialsController {
  constructor(
    private readonly db: Database,
    private readonly addCredentials: AddCredentials,
    private readonly activateCredentials: ActivateCredentials,
    private readonly dropCredentials: DropCredentials,
  ) {}

  /** List the versions of the own credentials, without their values */
  @Get()
  async listPortalCredentials(@OwnConsumer() consumerId: string): Promise<PortalCredentialListDto> {
    return { credentials: (await credentialVersions(this.db, consumerId)).map(portalVersionView) };
  }

  /**
   * Add a version of the own credentials
   * @remarks From `activateAt` on, every attempt uses it. Absent parts are carried over from the version in force.
   * Only one version can be coming at a time.
   */
  @Post()
  @Refuses({ 409: 'Another version is already coming, or the bank cannot read the version in force.' })
  async addPortalCredentials(
    @OwnConsumer() consumerId: string,
    @Body() body: AddPortalCredentialsDto,
    @CurrentActor() actor: Actor,
  ): Promise<PortalCredentialsAddedDto> {
    requirePart(body);
    const { version, signingSecret } = await this.addCredentials.execute(consumerId, body, actor);
    return { ...portalVersionView(version), ...(signingSecret === undefined ? {} : { signingSecret }) };
  }

  /** Activate a coming or former version of the own credentials now */
  @Action(':version/activate')
  @Refuses({
    404: NO_VERSION,
    409: 'The bank cannot read the version, or it has another client certificate.',
  })
  async activatePortalCredentials(
    @OwnConsumer() consumerId: string,
    @Param('version', versionParameter) version: number,
    @Body() body: OptionalReasonDto,
    @CurrentActor() actor: Actor,
  ): Promise<PortalCredentialVersionDto> {
    const given = { ...body, sameCertificate: true };
    return portalVersionView(await this.activateCredentials.execute(consumerId, version, given, actor));
  }

  /** Drop a coming version of the own credentials */
  @Delete(':version')
  @HttpCode(204)
  @Refuses({
    404: NO_VERSION,
    409: 'It is or was in force; only a coming version can be dropped. Or it has another client certificate.',
  })
  dropPortalCredentials(
    @OwnConsumer() consumerId: string,
    @Param('version', versionParameter) version: number,
    @CurrentActor() actor: Actor,
  ): Promise<void> {
    return this.dropCredentials.execute(consumerId, version, actor, { sameCertificate: true });
  }
}

/** @throws InvalidContentError that names the parts of this body; the operators' one names the client certificate too */
function requirePart({ signingSecret, username, password, generateSecret }: AddPortalCredentialsDto): void {
  if (generateSecret === true || [signingSecret, username, password].some((part) => part !== undefined))
    return;
  const message = 'must hold at least one of signingSecret, generateSecret, username, password';
  throw new InvalidContentError([{ field: 'body', message }]);
}

/** A version in the portal's form, without the operator who added it and without certificates. */
const portalVersionView = (row: CredentialVersion): PortalCredentialVersionDto => ({
  version: row.version,
  state: row.state,
  activateAt: row.activateAt.toISOString(),
  createdAt: row.createdAt.toISOString(),
});

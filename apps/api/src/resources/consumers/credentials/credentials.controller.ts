import { Body, Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { Allow } from '../../../access/allow.decorator.js';
import { CurrentActor, type Actor } from '../../../access/audit-entry.js';
import { OptionalReasonDto } from '../../../http/optional-reason.dto.js';
import { INVALID_CONTENT, Refuses } from '../../../http/refuses.js';
import { uuidParameter } from '../../../http/uuid.pipe.js';
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

const NO_CONSUMER = 'There is no such consumer.';
const NO_VERSION = 'There is no such consumer, or no such version of its credentials.';

/** Versions of a consumer's credentials. */
@ApiTags('consumers')
@Controller({ path: 'consumers/:id/credentials', version: '1' })
export class CredentialsController {
  constructor(
    private readonly credentials: CredentialsService,
    private readonly addCredentials: AddCredentials,
    private readonly activateCredentials: ActivateCredentials,
    private readonly dropCredentials: DropCredentials,
  ) {}

  @Post()
  @Allow('operator')
  @ApiOperation({
    summary: 'Add a version of the credentials',
    description:
      'From `activateAt` on, every attempt of every worker uses it. Absent parts are carried over from the version ' +
      'in force. Only one version can be coming at a time.',
    operationId: 'addCredentials',
  })
  @ApiCreatedResponse({ type: CredentialsAddedDto })
  @Refuses({
    404: NO_CONSUMER,
    409: 'Another version is already coming, or the version in force cannot be decrypted.',
    422: INVALID_CONTENT,
  })
  async add(
    @Param('id', uuidParameter) id: string,
    @Body() body: AddCredentialsDto,
    @CurrentActor() actor: Actor,
  ): Promise<CredentialsAddedDto> {
    const { version, signingSecret } = await this.addCredentials.execute(id, body, actor);
    return { ...versionView(version), ...(signingSecret === undefined ? {} : { signingSecret }) };
  }

  @Get()
  @Allow('viewer')
  @ApiOperation({
    summary: 'List the versions of the credentials, without their values',
    operationId: 'listCredentials',
  })
  @ApiOkResponse({ type: CredentialListDto })
  @Refuses({ 404: NO_CONSUMER })
  list(@Param('id', uuidParameter) id: string): Promise<CredentialListDto> {
    return this.credentials.list(id);
  }

  @Post(':version/activate')
  @HttpCode(200)
  @Allow('operator')
  @ApiOperation({
    summary: 'Activate a coming or former version now',
    description:
      'A coming version becomes current before its time, or a former version becomes current again. Activating the ' +
      'current version changes nothing.',
    operationId: 'activateCredentials',
  })
  @ApiOkResponse({ type: CredentialVersionDto })
  @Refuses({ 404: NO_VERSION, 409: 'The version cannot be decrypted.', 422: INVALID_CONTENT })
  async activate(
    @Param('id', uuidParameter) id: string,
    @Param('version', versionParameter) version: number,
    @Body() body: OptionalReasonDto,
    @CurrentActor() actor: Actor,
  ): Promise<CredentialVersionDto> {
    return versionView(await this.activateCredentials.execute(id, version, body, actor));
  }

  @Delete(':version')
  @HttpCode(204)
  @Allow('operator')
  @ApiOperation({ summary: 'Drop a coming version', operationId: 'dropCredentials' })
  @ApiNoContentResponse()
  @Refuses({ 404: NO_VERSION, 409: 'The version is or was in force; only a coming version can be dropped.' })
  drop(
    @Param('id', uuidParameter) id: string,
    @Param('version', versionParameter) version: number,
    @CurrentActor() actor: Actor,
  ): Promise<void> {
    return this.dropCredentials.execute(id, version, actor);
  }
}

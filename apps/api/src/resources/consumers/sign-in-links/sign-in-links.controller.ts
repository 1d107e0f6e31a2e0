import { pageOf, paginated, PageQueryDto } from '#libs/contracts';
import { ConsumersRepository, SignInLinksRepository } from '#libs/database';
import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  NotFoundException,
  Param,
  Post,
  Query,
} from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { Allow } from '../../../access/allow.decorator.js';
import { CurrentActor, type Actor } from '../../../access/audit-entry.js';
import { INVALID_CONTENT, INVALID_PARAMETER, Refuses } from '../../../http/refuses.js';
import { uuidParameter } from '../../../http/uuid.pipe.js';
import { CreateSignInLink } from './create-sign-in-link.js';
import { RevokeSignInLink } from './revoke-sign-in-link.js';
import { CreateSignInLinkDto, SignInLinkCreatedDto, SignInLinkListDto } from './sign-in-link.dto.js';
import { signInLinkView } from './sign-in-link-view.js';

const NOT_FOUND = 'There is no such consumer.';

/** Links with which operators let a consumer's people sign in to the portal. */
@ApiTags('consumers')
@Controller({ path: 'consumers/:id/sign-in-links', version: '1' })
export class SignInLinksController {
  constructor(
    private readonly links: SignInLinksRepository,
    private readonly consumers: ConsumersRepository,
    private readonly createSignInLink: CreateSignInLink,
    private readonly revokeSignInLink: RevokeSignInLink,
  ) {}

  @Post()
  @Allow('operator')
  @ApiOperation({
    summary: 'Create a one-time sign-in link for a person of the consumer',
    description:
      'Only this response shows the link. Its first use begins a session of 12 hours in the consumer’s portal. Send it ' +
      'over a channel on which you know the person.',
    operationId: 'createSignInLink',
  })
  @ApiCreatedResponse({ type: SignInLinkCreatedDto })
  @Refuses({ 404: NOT_FOUND, 422: INVALID_CONTENT })
  async create(
    @Param('id', uuidParameter) id: string,
    @Body() body: CreateSignInLinkDto,
    @CurrentActor() actor: Actor,
  ): Promise<SignInLinkCreatedDto> {
    const { row, url } = await this.createSignInLink.execute(id, body, actor);
    return { ...signInLinkView(row, new Date()), url };
  }

  @Get()
  @Allow('viewer')
  @ApiOperation({ summary: 'List a consumer’s sign-in links, newest first', operationId: 'listSignInLinks' })
  @ApiOkResponse({ type: SignInLinkListDto })
  @Refuses({ 400: INVALID_PARAMETER, 404: NOT_FOUND })
  async list(
    @Param('id', uuidParameter) id: string,
    @Query() query: PageQueryDto,
  ): Promise<SignInLinkListDto> {
    if ((await this.consumers.find(id)) === undefined) throw new NotFoundException(NOT_FOUND);
    const page = pageOf(query);
    const now = new Date();
    const rows = await this.links.list(id, page);
    return paginated(
      'signInLinks',
      rows.map((row) => signInLinkView(row, now)),
      page,
    );
  }

  @Delete(':linkId')
  @HttpCode(204)
  @Allow('operator')
  @ApiOperation({
    summary: 'Revoke a sign-in link; a session that it began ends within 2 s',
    operationId: 'revokeSignInLink',
  })
  @ApiNoContentResponse()
  @Refuses({ 404: 'The consumer has no such link.' })
  revoke(
    @Param('id', uuidParameter) id: string,
    @Param('linkId', uuidParameter) linkId: string,
    @CurrentActor() actor: Actor,
  ): Promise<void> {
    return this.revokeSignInLink.execute(id, linkId, actor);
  }
}

import { pageOf, paginated, PageQueryDto } from '#libs/contracts';
import { ConsumersRepository, SignInLinksRepository } from '#libs/database';
import { Body, Delete, Get, HttpCode, Post, Query } from '@nestjs/common';
import { Allow } from '../../../access/allow.decorator.js';
import { CurrentActor, type Actor } from '../../../access/audit-entry.js';
import { Id, Refuses, Routes } from '../../../http/routes.js';
import { SignInLinkCommands } from './sign-in-link-commands.js';
import { CreateSignInLinkDto, SignInLinkCreatedDto, SignInLinkListDto } from './sign-in-link.dto.js';
import { signInLinkView } from './sign-in-link-view.js';
import { found } from '../../../http/found.js';

/** Links with which operators let a consumer's people sign in to the portal. */
@Routes({ path: 'consumers/:id/sign-in-links', tag: 'consumers' })
export class SignInLinksController {
  constructor(
    private readonly links: SignInLinksRepository,
    private readonly consumers: ConsumersRepository,
    private readonly commands: SignInLinkCommands,
  ) {}

  /**
   * Create a one-time sign-in link for a person of the consumer
   * @remarks Only this response shows the link. Its first use begins a session of 12 hours in the consumer’s portal.
   * Send it over a channel on which you know the person.
   */
  @Post()
  @Allow('operator')
  async createSignInLink(
    @Id() id: string,
    @Body() body: CreateSignInLinkDto,
    @CurrentActor() actor: Actor,
  ): Promise<SignInLinkCreatedDto> {
    const { row, url } = await this.commands.create(id, body, actor);
    return { ...signInLinkView(row, new Date()), url };
  }

  /** List a consumer’s sign-in links, newest first */
  @Get()
  @Allow('viewer')
  async listSignInLinks(@Id() id: string, @Query() query: PageQueryDto): Promise<SignInLinkListDto> {
    found(await this.consumers.find(id), 'consumer');
    const page = pageOf(query);
    const now = new Date();
    const rows = await this.links.list(id, page);
    return paginated(
      'signInLinks',
      rows.map((row) => signInLinkView(row, now)),
      page,
    );
  }

  /** Revoke a sign-in link; a session that it began ends within 2 s */
  @Delete(':linkId')
  @HttpCode(204)
  @Allow('operator')
  @Refuses({ 404: 'The consumer has no such link.' })
  revokeSignInLink(
    @Id() id: string,
    @Id('linkId') linkId: string,
    @CurrentActor() actor: Actor,
  ): Promise<void> {
    return this.commands.revoke(id, linkId, actor);
  }
}

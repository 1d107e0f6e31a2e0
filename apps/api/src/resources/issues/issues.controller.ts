import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Allow } from '../../access/allow.decorator.js';
import { CurrentActor, type Actor } from '../../access/audit-entry.js';
import { ReasonDto } from '../../http/reason.dto.js';
import { INVALID_CONTENT, INVALID_PARAMETER, Refuses } from '../../http/refuses.js';
import { uuidParameter } from '../../http/uuid.pipe.js';
import { AcknowledgeIssueDto } from './acknowledge-issue.dto.js';
import { IssueDetailDto, IssueDto, IssueListDto } from './issue.dto.js';
import { IssuesQueryDto } from './issues-query.dto.js';
import { IssuesService } from './issues.service.js';

const NOT_FOUND = 'There is no such issue.';
const RESOLVED = 'It is resolved already.';

/** Health issues of consumers and of the installation. */
@ApiTags('issues')
@Controller({ path: 'issues', version: '1' })
export class IssuesController {
  constructor(private readonly issues: IssuesService) {}

  @Get()
  @Allow('viewer')
  @ApiOperation({
    summary: 'List health issues: unresolved ones first, then the newest',
    description:
      'An issue is opened within about 15 s of its condition, and resolved automatically when the condition ends. `degraded` ' +
      'and `falling_behind` are resolved after 5 minutes without their condition, so that each is announced once.',
    operationId: 'listIssues',
  })
  @ApiOkResponse({ type: IssueListDto })
  @Refuses({ 400: INVALID_PARAMETER })
  list(@Query() query: IssuesQueryDto): Promise<IssueListDto> {
    return this.issues.list(query);
  }

  @Get(':id')
  @Allow('viewer')
  @ApiOperation({ summary: 'Read a health issue with the messages about it', operationId: 'readIssue' })
  @ApiOkResponse({ type: IssueDetailDto })
  @Refuses({ 404: NOT_FOUND })
  read(@Param('id', uuidParameter) id: string): Promise<IssueDetailDto> {
    return this.issues.detail(id);
  }

  @Post(':id/acknowledge')
  @HttpCode(200)
  @Allow('oncall')
  @ApiOperation({
    summary: 'Acknowledge a health issue: the caller takes care of it',
    description: 'A second acknowledgement replaces the name and the note of the first.',
    operationId: 'acknowledgeIssue',
  })
  @ApiOkResponse({ type: IssueDto })
  @Refuses({ 404: NOT_FOUND, 409: RESOLVED, 422: INVALID_CONTENT })
  acknowledge(
    @Param('id', uuidParameter) id: string,
    @Body() { note }: AcknowledgeIssueDto,
    @CurrentActor() actor: Actor,
  ): Promise<IssueDto> {
    return this.issues.acknowledge(id, note, actor);
  }

  @Post(':id/resolve')
  @HttpCode(200)
  @Allow('oncall')
  @ApiOperation({
    summary: 'Resolve a health issue',
    description:
      'While its condition lasts it is not opened again; after the condition has ended once, a new issue is opened.',
    operationId: 'resolveIssue',
  })
  @ApiOkResponse({ type: IssueDto })
  @Refuses({ 404: NOT_FOUND, 409: RESOLVED, 422: INVALID_CONTENT })
  resolve(
    @Param('id', uuidParameter) id: string,
    @Body() { reason }: ReasonDto,
    @CurrentActor() actor: Actor,
  ): Promise<IssueDto> {
    return this.issues.resolve(id, reason, actor);
  }
}

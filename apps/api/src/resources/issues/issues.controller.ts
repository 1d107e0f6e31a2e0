import { Body, Get, Query } from '@nestjs/common';
import { Allow } from '../../access/allow.decorator.js';
import { CurrentActor, type Actor } from '../../access/audit-entry.js';
import { ReasonDto } from '../../http/reason.dto.js';
import { Action, Id, Refuses, Routes } from '../../http/routes.js';
import { AcknowledgeIssueDto } from './acknowledge-issue.dto.js';
import { IssueDetailDto, IssueDto, IssueListDto } from './issue.dto.js';
import { IssuesQueryDto } from './issues-query.dto.js';
import { IssuesService } from './issues.service.js';

const RESOLVED = 'It is resolved already.';

/** Health issues of consumers and of the installation. */
@Routes({ path: 'issues', tag: 'issues' })
export class IssuesController {
  constructor(private readonly issues: IssuesService) {}

  /**
   * List health issues: unresolved ones first, by severity and age; then the newest
   * @remarks An issue is opened within about 15 s of its condition, and resolved automatically when the condition
   * ends. `down` is opened when three probes have failed, and `degraded` when it has lasted for 10 minutes: retries
   * correct shorter ones. `down`, `degraded` and `falling_behind` are resolved after 10 minutes without their
   * condition, so that each is announced once.
   */
  @Get()
  @Allow('viewer')
  listIssues(@Query() query: IssuesQueryDto): Promise<IssueListDto> {
    return this.issues.list(query);
  }

  /** Read a health issue with the messages about it */
  @Get(':id')
  @Allow('viewer')
  readIssue(@Id() id: string): Promise<IssueDetailDto> {
    return this.issues.detail(id);
  }

  /**
   * Acknowledge a health issue: the caller takes care of it
   * @remarks A second acknowledgement replaces the name and the note of the first.
   */
  @Action(':id/acknowledge')
  @Allow('oncall')
  @Refuses({ 409: RESOLVED })
  acknowledgeIssue(
    @Id() id: string,
    @Body() { note }: AcknowledgeIssueDto,
    @CurrentActor() actor: Actor,
  ): Promise<IssueDto> {
    return this.issues.acknowledge(id, note, actor);
  }

  /**
   * Resolve a health issue
   * @remarks While its condition lasts it is not opened again; after the condition has ended once, a new issue is
   * opened.
   */
  @Action(':id/resolve')
  @Allow('oncall')
  @Refuses({ 409: RESOLVED })
  resolveIssue(
    @Id() id: string,
    @Body() { reason }: ReasonDto,
    @CurrentActor() actor: Actor,
  ): Promise<IssueDto> {
    return this.issues.resolve(id, reason, actor);
  }
}

import { pageOf, paginated } from '#libs/contracts';
import {
  ChannelMessagesRepository,
  ConsumerHealths,
  IssuesRepository,
  type IssueRow,
  type JudgedConsumer,
} from '#libs/database';
import { ConflictException, Injectable } from '@nestjs/common';
import { auditEntry, type Actor } from '../../access/audit-entry.js';
import { issueView, type IssueDetailDto, type IssueDto, type IssueListDto } from './issue.dto.js';
import type { IssuesQueryDto } from './issues-query.dto.js';
import { found } from '../../http/found.js';

/** Reads, acknowledges and resolves health issues. */
@Injectable()
export class IssuesService {
  constructor(
    private readonly issues: IssuesRepository,
    private readonly messages: ChannelMessagesRepository,
    private readonly healths: ConsumerHealths,
  ) {}

  async list(query: IssuesQueryDto): Promise<IssueListDto> {
    const page = pageOf(query);
    return paginated('issues', await this.views(await this.issues.list(query, page)), page);
  }

  /** @throws NotFoundException */
  async read(id: string): Promise<IssueDto> {
    const [issue] = await this.views([found(await this.issues.find(id), 'issue')]);
    return found(issue, 'issue');
  }

  /** An issue with the messages about it. @throws NotFoundException */
  async detail(id: string): Promise<IssueDetailDto> {
    const [issue, messages] = await Promise.all([this.read(id), this.messages.ofIssue(id)]);
    return {
      ...issue,
      messages: messages.map(({ event, channel_name, state, at, last_error }) => ({
        event,
        channelName: channel_name,
        state,
        at: at.toISOString(),
        lastError: state === 'sent' ? null : last_error,
      })),
    };
  }

  /** @throws NotFoundException, or ConflictException for a resolved one */
  async acknowledge(id: string, note: string | undefined, actor: Actor): Promise<IssueDto> {
    const entry = auditEntry(actor, { action: 'issue.acknowledged', target: `issue:${id}`, reason: note });
    return this.changed(id, await this.issues.acknowledge(id, note ?? null, entry));
  }

  /** @throws NotFoundException, or ConflictException for a resolved one */
  async resolve(id: string, reason: string, actor: Actor): Promise<IssueDto> {
    const entry = auditEntry(actor, { action: 'issue.resolved', target: `issue:${id}`, reason });
    return this.changed(id, await this.issues.resolve(id, reason, entry));
  }

  /** Issues with the present figures of their consumers. */
  private async views(rows: readonly IssueRow[]): Promise<IssueDto[]> {
    const ids = rows.flatMap(({ resolved_at, consumer_id }) =>
      resolved_at === null && consumer_id !== null ? [consumer_id] : [],
    );
    const judged = ids.length === 0 ? [] : await this.healths.of([...new Set(ids)]);
    const byId = new Map<string | null, JudgedConsumer>(judged.map((one) => [one.id, one]));
    return rows.map((row) =>
      issueView(row, row.resolved_at === null ? byId.get(row.consumer_id) : undefined),
    );
  }

  private async changed(id: string, isChanged: boolean): Promise<IssueDto> {
    const issue = await this.read(id);
    if (!isChanged)
      throw new ConflictException(
        `It was resolved ${issue.resolvedBy === null ? 'automatically' : `by ${issue.resolvedBy}`} at ${issue.resolvedAt ?? ''}. If the condition returns, a new issue is opened.`,
      );
    return issue;
  }
}

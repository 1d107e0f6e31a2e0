import {
  ApiKeysRepository,
  CertificatesRepository,
  ConsumerHealthRepository,
  ConsumerHealths,
  IssuesRepository,
  QueueStateRepository,
  WorkersRepository,
} from '#libs/database';
import { LOGGER, type Logger } from '#libs/observability';
import { issueOfKey, issuesOf, KEY_EXPIRES_WITHIN_MS } from '#libs/policy';
import { DispatchQueue } from '#libs/queue';
import { Inject, Injectable } from '@nestjs/common';
import type { ScheduledWork } from './scheduled-work.js';

const EVERY_MS = 15_000;

/** Opens an issue for each condition that needs a person, and ends it with its condition. */
@Injectable()
export class HealthIssues implements ScheduledWork {
  readonly name = 'health_issues';
  readonly everyMs = EVERY_MS;
  private readonly healths: ConsumerHealths;

  constructor(
    private readonly keys: ApiKeysRepository,
    private readonly issues: IssuesRepository,
    @Inject(LOGGER) private readonly logger: Logger,
    repository: ConsumerHealthRepository,
    certificates: CertificatesRepository,
    queueState: QueueStateRepository,
    workers: WorkersRepository,
    queue: DispatchQueue,
  ) {
    const sources = { repository, certificates, queue: queueState, workers };
    this.healths = new ConsumerHealths(sources, () => !queue.isReachable());
  }

  async run(): Promise<void> {
    const [now, consumers, keys] = await Promise.all([
      this.issues.now(),
      this.healths.of(),
      this.keys.expiring(KEY_EXPIRES_WITHIN_MS, null),
    ]);
    const found = [
      ...consumers.flatMap(({ id, health }) => issuesOf(id, health, now)),
      ...keys.map(issueOfKey),
    ];
    const healths = new Map(consumers.map(({ id, health }) => [id, health]));
    const { opened, ended } = await this.issues.evaluate(found, healths, now);
    for (const { id, consumerId, kind } of opened)
      this.logger.warn({ issueId: id, consumerId, kind }, 'issue.opened');
    for (const issueId of ended) this.logger.info({ issueId }, 'issue.ended');
  }
}

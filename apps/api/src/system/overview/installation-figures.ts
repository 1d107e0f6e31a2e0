import { ISSUE_KINDS, within } from '#libs/contracts';
import { IssuesRepository, QueueStateRepository } from '#libs/database';
import { InstallationMetrics, Metrics, MOST_CONSUMERS_WITH_SERIES } from '#libs/observability';
import { Injectable } from '@nestjs/common';
import { PartsWatch } from '../../status/parts-watch.service.js';
import { consumersWithoutJob } from './agreement.js';
import { OverviewService } from './overview.service.js';
import type { OverviewDto } from './overview.dto.js';

/**
 * Maximum time for the figures. Prometheus gives up after ten seconds by default, and this process's own counters
 * must still be answered.
 */
const READ_WITHIN_MS = 5_000;

/** Updates the metrics of the whole installation at each scrape, with the same reading as the console. */
@Injectable()
export class InstallationFigures {
  constructor(
    private readonly reading: OverviewService,
    private readonly state: QueueStateRepository,
    private readonly issues: IssuesRepository,
    private readonly parts: PartsWatch,
    private readonly figures: InstallationMetrics,
    metrics: Metrics,
  ) {
    metrics.beforeScrape(() => this.look());
  }

  private async look(): Promise<void> {
    for (const { name, fault } of this.parts.observations())
      this.figures.partUp.set({ part: name }, fault === null ? 1 : 0);
    const read = Promise.all([this.reading.read(), this.state.circuits(), this.issues.unresolved()]).catch(
      () => undefined,
    );
    const found = await within(READ_WITHIN_MS, read);
    this.figures.forget();
    if (found === undefined) return;
    const [queue, circuits, issues] = found;
    this.report(queue);
    this.figures.circuits.set({ state: 'open' }, circuits.open);
    this.figures.circuits.set({ state: 'closed' }, circuits.closed);
    for (const kind of ISSUE_KINDS) this.figures.issues.set({ kind }, issues.get(kind) ?? 0);
  }

  private report({
    states,
    sending,
    workers,
    unrouted,
    consumers,
    figures: { dead },
    trouble,
    agreement,
  }: OverviewDto): void {
    const { figures } = this;
    for (const { state, holdReason, count, oldestAgeSeconds } of states) {
      const labels = { state, reason: holdReason ?? '' };
      figures.pendingDeliveries.set(labels, count);
      figures.oldestDueAge.set(labels, oldestAgeSeconds ?? 0);
    }
    figures.sendingPaused.set(sending.state === 'paused' ? 1 : 0);
    figures.workersAlive.set(workers.length);
    figures.unrouted.set(unrouted.count);
    for (const { state, count } of consumers) figures.consumers.set({ health: state }, count);
    figures.deadNotSettled.set(dead.count);
    for (const { consumerId, name, health } of trouble.slice(0, MOST_CONSUMERS_WITH_SERIES)) {
      const labels = { consumer_id: consumerId, consumer: name, health: health.state };
      figures.unhealthyPending.set(labels, health.waiting);
      figures.unhealthyOldestDueAge.set(labels, ageSeconds(health.oldestDueAt));
    }
    const { queue, database } = agreement;
    if (queue === null) return;
    for (const [state, count] of Object.entries(queue)) figures.queueJobs.set({ state }, count);
    figures.consumersWithoutJob.set(consumersWithoutJob(queue, database.overdueConsumers));
  }
}

const ageSeconds = (at: string | null): number =>
  at === null ? 0 : Math.max(0, (Date.now() - Date.parse(at)) / 1_000);

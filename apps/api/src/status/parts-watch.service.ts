import { pingDatabase, Database } from '#libs/database';
import { faultText } from '#libs/observability';
import { DispatchQueue } from '#libs/queue';
import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { PartName } from './status.dto.js';

const LOOK_EVERY_MS = 1_000;

/** As long as the pool waits for a connection, so that a busy PostgreSQL does not count as down. */
const ANSWER_WITHIN_MS = 3_000;

/** The observed state of one server, and since when. */
export interface Observation {
  readonly name: PartName;
  /** The fault; null while the server answers. */
  readonly fault: string | null;
  readonly since: Date;
}

/** Pings PostgreSQL and Redis continuously, so that no request has to wait for them. */
@Injectable()
export class PartsWatch implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly seen = new Map<PartName, Observation>();
  private readonly pings = new Map<PartName, () => Promise<void>>();
  private timer: NodeJS.Timeout | undefined;
  private isStopped = false;

  constructor(db: Database, queue: DispatchQueue) {
    this.pings.set('postgres', () => pingDatabase(db, ANSWER_WITHIN_MS));
    if (queue.server !== null) this.pings.set(queue.server, () => queue.ping(ANSWER_WITHIN_MS));
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.look();
  }

  onApplicationShutdown(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
  }

  /** Returns the observations; PostgreSQL, whose outage is worse, comes first. */
  observations(): Observation[] {
    return [...this.pings.keys()].flatMap((name) => this.seen.get(name) ?? []);
  }

  /** Pings every server, then schedules the next check. */
  private async look(): Promise<void> {
    await Promise.all(
      [...this.pings].map(async ([name, ping]) => {
        const fault = await ping().then(() => null, faultText);
        const before = this.seen.get(name);
        const isSame = before !== undefined && (before.fault === null) === (fault === null);
        this.seen.set(name, { name, fault, since: isSame ? before.since : new Date() });
      }),
    );
    if (!this.isStopped) this.timer = setTimeout(() => void this.look(), LOOK_EVERY_MS).unref();
  }
}

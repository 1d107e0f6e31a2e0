import { CONFIG, type Config } from '#libs/config';
import { DATABASE, leasesRunOut, type Database } from '#libs/database';
import { Inject, Injectable } from '@nestjs/common';
import { Mending } from './mending.js';
import type { ScheduledWork } from './scheduled-work.js';

/** What a dead worker had in hand waits for no longer than this beyond its lease. */
const EVERY_MS = 2_000;
const MOST = 2_000;

/** Lets go anew what a worker had leased that died or stood still: its jobs ended when it took them. */
@Injectable()
export class LeaseWatch implements ScheduledWork {
  readonly name = 'leases';
  readonly everyMs: number;

  constructor(
    @Inject(CONFIG) config: Config,
    @Inject(DATABASE) private readonly db: Database,
    private readonly mending: Mending,
  ) {
    this.everyMs = Math.min(EVERY_MS, config.reconcileIntervalMs);
  }

  async run(): Promise<void> {
    await this.mending.enqueue('lease', await leasesRunOut(this.db, MOST));
  }
}

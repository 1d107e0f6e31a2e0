import { Injectable } from '@nestjs/common';
import { Gatekeeper } from '../gate/gatekeeper.js';
import type { ScheduledWork } from './scheduled-work.js';

/** Sends the probes of open circuits when they are due. */
@Injectable()
export class Probing implements ScheduledWork {
  readonly name = 'probe';
  readonly everyMs = 2_000;

  constructor(private readonly gatekeeper: Gatekeeper) {}

  async run(): Promise<void> {
    await this.gatekeeper.sendProbes();
  }
}

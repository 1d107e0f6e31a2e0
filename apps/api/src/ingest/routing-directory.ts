import { ConsumersRepository, NO_VERSION } from '#libs/database';
import { RoutingTable } from '#libs/policy';
import { Inject, Injectable } from '@nestjs/common';

/** An index of the live consumers, and the version of their settings. A refresh changes both, in one turn. */
export interface Routing {
  readonly version: string;
  readonly table: RoutingTable;
}

const nothingKnown = () => ({ version: NO_VERSION, table: new RoutingTable([]) });

/**
 * Holds the routing in memory. Accept compares its version with the database's in its transaction; if a consumer has
 * changed meanwhile, it calls `refresh`, which reads only the consumers that have changed, and starts again.
 */
@Injectable()
export class RoutingDirectory {
  private known = nothingKnown();
  /** Reads follow each other, so that an older snapshot never replaces a newer one. */
  private read: Promise<Routing> | null = null;

  constructor(
    @Inject(ConsumersRepository)
    private readonly consumers: Pick<ConsumersRepository, 'routingSince' | 'routingVersion'>,
  ) {}

  current(): Promise<Routing> {
    return this.read ?? this.refresh();
  }

  async isNewest(version: string): Promise<boolean> {
    return (await this.consumers.routingVersion()) === version;
  }

  refresh(): Promise<Routing> {
    const former = this.read?.catch(() => undefined);
    const reading = former === undefined ? this.readChanges() : former.then(() => this.readChanges());
    this.read = reading;
    // A failed read is not cached: the next caller reads again.
    reading.catch(() => {
      if (this.read === reading) this.read = null;
    });
    return reading;
  }

  private async readChanges(): Promise<Routing> {
    const { version, changed } = await this.consumers.routingSince(this.known.version);
    // After a restore from a backup, the changes since then are not known.
    if (BigInt(version) < BigInt(this.known.version)) {
      this.known = nothingKnown();
      return this.readChanges();
    }
    this.known.table.change(changed);
    this.known.version = version;
    return this.known;
  }
}

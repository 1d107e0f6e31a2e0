import { ConsumersRepository } from '#libs/database';
import { createRoutingTable, type RoutingTable } from '#libs/policy';
import { Inject, Injectable } from '@nestjs/common';

/** The routing at one time: an index of the live consumers, and the version that was read. */
export interface Routing {
  readonly version: string;
  readonly table: RoutingTable;
}

/** Reads the live consumers' settings for routing. */
type RoutingReader = Pick<ConsumersRepository, 'routing' | 'routingVersion'>;

/**
 * Holds the routing in memory. Accept compares its version with the database's in its transaction; if a consumer has
 * changed meanwhile, it calls `refresh` and starts again.
 */
@Injectable()
export class RoutingDirectory {
  private known: Promise<Routing> | null = null;

  constructor(@Inject(ConsumersRepository) private readonly consumers: RoutingReader) {}

  current(): Promise<Routing> {
    return this.known ?? this.refresh();
  }

  async isNewest(version: string): Promise<boolean> {
    return (await this.consumers.routingVersion()) === version;
  }

  refresh(): Promise<Routing> {
    const reading = this.read();
    this.known = reading;
    // A failed read is not cached: the next caller reads again.
    reading.catch(() => {
      if (this.known === reading) this.known = null;
    });
    return reading;
  }

  private async read(): Promise<Routing> {
    const { version, consumers } = await this.consumers.routing();
    return { version, table: createRoutingTable(consumers) };
  }
}

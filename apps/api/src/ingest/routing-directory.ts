import { ConsumersRepository } from '#libs/database';
import { createRoutingTable, type RoutingTable } from '#libs/policy';
import { Inject, Injectable } from '@nestjs/common';

/** The routing of one moment: an index of the live consumers, and the version at which it was read. */
export interface Routing {
  readonly version: string;
  readonly table: RoutingTable;
}

/** Where the live consumers' routing is read. */
type RoutingReader = Pick<ConsumersRepository, 'routing'>;

/**
 * Keeps the routing in memory. Accepting compares its version with the database's inside its own transaction, and starts
 * again after `refresh` when a consumer has changed in between.
 */
@Injectable()
export class RoutingDirectory {
  private known: Promise<Routing> | null = null;

  constructor(@Inject(ConsumersRepository) private readonly consumers: RoutingReader) {}

  current(): Promise<Routing> {
    return this.known ?? this.refresh();
  }

  refresh(): Promise<Routing> {
    const reading = this.read();
    this.known = reading;
    // A failed read is not kept: the next caller reads again.
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

import { ConsumersRepository, type RoutedConsumer } from '#libs/database';
import { createRoutingTable, type RoutingTable } from '#libs/policy';
import { Injectable } from '@nestjs/common';

/** The routing of one moment: an index over the live consumers, and the version that it was read at. */
export interface Routing {
  readonly version: string;
  readonly table: RoutingTable;
  /** Consumers that opted out of order per payment. */
  readonly unordered: ReadonlySet<string>;
}

/**
 * Keeps the routing in memory. It is never trusted blindly: **accept** compares its version with the database's
 * inside its own transaction and starts over with `refresh` when a consumer has changed in between.
 */
@Injectable()
export class RoutingDirectory {
  private known: Promise<Routing> | null = null;

  constructor(private readonly consumers: ConsumersRepository) {}

  current(): Promise<Routing> {
    return this.known ?? this.refresh();
  }

  refresh(): Promise<Routing> {
    const reading = this.read();
    this.known = reading;
    // A failed read is not kept: the next caller asks again.
    reading.catch(() => {
      if (this.known === reading) this.known = null;
    });
    return reading;
  }

  private async read(): Promise<Routing> {
    const { version, consumers } = await this.consumers.routing();
    return {
      version,
      table: createRoutingTable(consumers),
      unordered: new Set(
        consumers.filter((consumer) => !consumer.ordered).map((consumer: RoutedConsumer) => consumer.id),
      ),
    };
  }
}

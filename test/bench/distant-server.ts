/** A TCP proxy whose answers arrive later, as if the server were on a distant machine. */
import { connect, createServer } from 'node:net';
import { serve } from '#test/bench/child';
import { listen } from '#test/bench/listen';

const calls = {
  /** @returns the port at which the server of `port` answers `delayMs` later */
  proxy: ({ port, delayMs }: { port: number; delayMs: number }): Promise<number> =>
    listen(
      createServer({ noDelay: true }, (client) => {
        const server = connect({ host: '127.0.0.1', port, noDelay: true });
        client.pipe(server);
        // Timers of one length fire in the order in which they were set, so the bytes keep their order.
        server.on('data', (chunk) => setTimeout(() => client.write(chunk), delayMs));
        server.on('end', () => setTimeout(() => client.end(), delayMs));
        client.on('error', () => server.destroy());
        server.on('error', () => client.destroy());
      }),
    ),
};

export type DistantServer = typeof calls;
serve(calls);

/** A TCP proxy of the loopback whose answers come later: with it a server is as far away as on another machine. */
import { connect, createServer } from 'node:net';
import { serve } from '#test/bench/pipeline/child';

const calls = {
  /** @returns the port at which the server of `port` answers `delayMs` later */
  listen: async ({ port, delayMs }: { port: number; delayMs: number }): Promise<number> => {
    const proxy = createServer({ noDelay: true }, (client) => {
      const server = connect({ host: '127.0.0.1', port, noDelay: true });
      client.pipe(server);
      // Timers of one length end in the order in which they were set, so the bytes keep theirs.
      server.on('data', (chunk) => setTimeout(() => client.write(chunk), delayMs));
      server.on('end', () => setTimeout(() => client.end(), delayMs));
      for (const [one, other] of [
        [client, server],
        [server, client],
      ] as const)
        one.on('error', () => other.destroy());
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', 1_024, resolve));
    const address = proxy.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  },
};

export type DelayingProxy = typeof calls;
serve(calls);

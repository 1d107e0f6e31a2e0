import { Socket } from 'node:net';

/**
 * Loaded before a worker's main file. Connections that are opened with an options object, as those to consumers are, leave
 * from the address in the environment. Neither the product's code nor its requests differ.
 */
const localAddress = process.env['CHAOS_SOURCE_ADDRESS'];
const connect: unknown = Reflect.get(Socket.prototype, 'connect');
if (localAddress !== undefined && typeof connect === 'function')
  Object.defineProperty(Socket.prototype, 'connect', {
    value(this: Socket, ...given: unknown[]): unknown {
      // `net.connect` passes its normalized arguments as one array.
      const options = [given[0]].flat()[0];
      if (typeof options === 'object' && options !== null && 'port' in options)
        Object.assign(options, { localAddress });
      return Reflect.apply(connect, this, given);
    },
  });

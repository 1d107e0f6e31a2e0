import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { waitUntil } from '../support/wait-until.js';
import { Link } from './link.js';

/** Records all data and sends it back. */
class Echo {
  received = '';
  readonly sockets = new Set<Socket>();
  private readonly server: Server = createServer((socket) => {
    this.sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => this.sockets.delete(socket));
    socket.on('data', (bytes) => {
      this.received += bytes.toString();
      socket.write(bytes);
    });
  });

  async listen(port = 0): Promise<number> {
    this.server.listen(port, '127.0.0.1');
    await once(this.server, 'listening');
    const address = this.server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    return address.port;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }
}

/** A client over the link, and the data that it received. */
class Caller {
  received = '';
  isClosed = false;
  readonly socket: Socket;

  constructor(link: Link) {
    this.socket = connect(link.port, '127.0.0.1');
    this.socket.on('error', () => undefined).on('close', () => (this.isClosed = true));
    this.socket.on('data', (bytes) => (this.received += bytes.toString()));
  }

  /** Resolves with the received data when it has this length. */
  async receives(length: number): Promise<string> {
    await waitUntil(() => this.received.length >= length, {
      what: `the caller to receive ${length} characters`,
      everyMs: 2,
    });
    return this.received;
  }
}

/** Long enough for data that is forwarded at once to arrive. */
const A_MOMENT_MS = 150;
const aMoment = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, A_MOMENT_MS));

let echo: Echo;
let link: Link;
let serverPort: number;
const callers: Caller[] = [];
function call(): Caller {
  const caller = new Caller(link);
  callers.push(caller);
  return caller;
}

beforeEach(async () => {
  echo = new Echo();
  serverPort = await echo.listen();
  link = await Link.open(serverPort);
});
afterEach(async () => {
  for (const caller of callers.splice(0)) caller.socket.destroy();
  await link.close();
  await echo.close();
});

describe('link', () => {
  test('a link forwards data and the end of the connection in both directions', async () => {
    const caller = call();
    const text = Array.from({ length: 50_000 }, (_, number) => `${number},`).join('');
    caller.socket.end(text);
    await waitUntil(() => caller.isClosed, { what: 'the connection to end' });
    expect(caller.received === text).toBe(true);
  });

  test('a link closes the client’s connection when the server resets it', async () => {
    const caller = call();
    caller.socket.write('a');
    expect(await caller.receives(1)).toBe('a');
    for (const socket of echo.sockets) socket.resetAndDestroy();
    await waitUntil(() => caller.isClosed, { what: 'the connection of the caller to close' });
  });

  test('a link closes connections while the server is down, and forwards data again afterwards', async () => {
    await echo.close();
    const early = call();
    await waitUntil(() => early.isClosed, { what: 'the connection of the caller to close' });
    echo = new Echo();
    await echo.listen(serverPort);
    const caller = call();
    caller.socket.write('a');
    expect(await caller.receives(1)).toBe('a');
  });
});

describe('slow link', () => {
  test('a slow link delays data in each direction', async () => {
    const caller = call();
    caller.socket.write('a');
    expect(await caller.receives(1)).toBe('a');
    link.set({ kind: 'slow link', delayMs: 100 });
    const begun = performance.now();
    caller.socket.write('b');
    expect(await caller.receives(2)).toBe('ab');
    expect(performance.now() - begun).toBeGreaterThanOrEqual(199);
    expect(link.disturbed).toEqual({ opened: 0, disturbedChunks: 2 });
  });

  test('a slow link forwards delayed data at once when the disturbance ends', async () => {
    const caller = call();
    link.set({ kind: 'slow link', delayMs: 3_600_000 });
    caller.socket.write('a');
    await waitUntil(() => link.disturbed.disturbedChunks > 0, { what: 'the link to delay the data' });
    link.set({ kind: 'normal' });
    caller.socket.write('b');
    expect(await caller.receives(2)).toBe('ab');
  });
});

describe('one-way link', () => {
  test('a one-way link drops data to the server, and closes the connection when the disturbance ends', async () => {
    const caller = call();
    caller.socket.write('a');
    expect(await caller.receives(1)).toBe('a');
    link.set({ kind: 'one-way link', drops: 'to server' });
    caller.socket.write('b');
    for (const socket of echo.sockets) socket.write('c');
    expect(await caller.receives(2)).toBe('ac');
    await waitUntil(() => link.disturbed.disturbedChunks === 2, { what: 'the link to disturb both texts' });
    expect(caller.isClosed).toBe(false);
    link.set({ kind: 'normal' });
    await waitUntil(() => caller.isClosed && echo.sockets.size === 0, { what: 'both connections to close' });
    expect(echo.received).toBe('a');
  });

  test('a one-way link drops the answer of a server that received the request', async () => {
    const caller = call();
    link.set({ kind: 'one-way link', drops: 'from server' });
    caller.socket.write('a');
    await waitUntil(() => link.disturbed.disturbedChunks === 2, { what: 'the link to drop the answer' });
    link.set({ kind: 'normal' });
    await waitUntil(() => caller.isClosed, { what: 'the connection of the caller to close' });
    expect({ caller: caller.received, server: echo.received }).toEqual({ caller: '', server: 'a' });
  });

  test('a one-way link that dropped the end of a connection closes it when the disturbance ends', async () => {
    const caller = call();
    caller.socket.write('a');
    expect(await caller.receives(1)).toBe('a');
    link.set({ kind: 'one-way link', drops: 'from server' });
    for (const socket of echo.sockets) socket.end();
    await waitUntil(() => link.disturbed.disturbedChunks === 1, { what: 'the link to drop the end' });
    caller.socket.end();
    await waitUntil(() => echo.sockets.size === 0, { what: 'the connection of the server to close' });
    link.set({ kind: 'normal' });
    await waitUntil(() => caller.isClosed, { what: 'the connection of the caller to close' });
  });

  test('a one-way link keeps connections that have lost no data', async () => {
    const caller = call();
    caller.socket.write('a');
    expect(await caller.receives(1)).toBe('a');
    link.set({ kind: 'one-way link', drops: 'to server' });
    link.set({ kind: 'normal' });
    caller.socket.write('b');
    expect(await caller.receives(2)).toBe('ab');
  });
});

describe('blackhole', () => {
  test('a blackhole keeps data and delivers it when the disturbance ends', async () => {
    const caller = call();
    caller.socket.write('a');
    expect(await caller.receives(1)).toBe('a');
    link.set({ kind: 'blackhole' });
    caller.socket.write('b');
    await aMoment();
    expect({ caller: caller.received, server: echo.received }).toEqual({ caller: 'a', server: 'a' });
    link.set({ kind: 'normal' });
    expect(await caller.receives(2)).toBe('ab');
  });

  test('a connection that is opened during a blackhole is established when the disturbance ends', async () => {
    link.set({ kind: 'blackhole' });
    const caller = call();
    await once(caller.socket, 'connect');
    caller.socket.write('a');
    await aMoment();
    expect({ sockets: echo.sockets.size, received: caller.received }).toEqual({ sockets: 0, received: '' });
    expect(link.disturbed.opened).toBe(1);
    link.set({ kind: 'normal' });
    expect(await caller.receives(1)).toBe('a');
  });

  test('a blackhole delivers data when the disturbance ends although its sender has closed the connection', async () => {
    const caller = call();
    caller.socket.write('a');
    expect(await caller.receives(1)).toBe('a');
    link.set({ kind: 'blackhole' });
    caller.socket.write('late', () => caller.socket.destroy());
    await waitUntil(() => caller.isClosed, { what: 'the connection of the caller to close' });
    await aMoment();
    expect(echo.received).toBe('a');
    link.set({ kind: 'normal' });
    await waitUntil(() => echo.received === 'alate', { what: 'the server to receive the late data' });
    await waitUntil(() => echo.sockets.size === 0, { what: 'the connection to end' });
  });

  test('a closed link closes the connections that wait in a blackhole', async () => {
    link.set({ kind: 'blackhole' });
    const caller = call();
    await once(caller.socket, 'connect');
    await link.close();
    await waitUntil(() => caller.isClosed, { what: 'the connection of the caller to close' });
    expect(echo.received).toBe('');
    link = await Link.open(serverPort);
  });
});

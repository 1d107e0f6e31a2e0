import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { waitUntil } from '../support/wait-until.js';
import { Link, type Disturbance } from './link.js';

/** Sends everything back. */
let echo: Server;
let sockets: Set<Socket>;
let received: string;
let link: Link;

async function listen(port = 0): Promise<number> {
  [sockets, received] = [new Set(), ''];
  echo = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    socket.on('data', (bytes) => {
      received += bytes.toString();
      socket.write(bytes);
    });
  }).listen(port, '127.0.0.1');
  await once(echo, 'listening');
  const address: AddressInfo | string | null = echo.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

async function endServer(): Promise<void> {
  for (const socket of sockets) socket.destroy();
  echo.close();
  await once(echo, 'close');
}

/** A client over the link. */
class Caller {
  received = '';
  readonly socket = connect(link.port, '127.0.0.1');

  constructor() {
    this.socket.on('error', () => undefined).on('data', (bytes) => (this.received += bytes.toString()));
  }

  /** Has sent `a` and received it. */
  static async open(): Promise<Caller> {
    const caller = new Caller();
    caller.socket.write('a');
    await caller.receives('a');
    return caller;
  }

  receives(text: string): Promise<true> {
    return waitUntil(() => this.received === text, { what: `the caller to receive ${text}`, everyMs: 2 });
  }

  isClosed(): Promise<true> {
    return waitUntil(() => this.socket.closed, { what: 'the connection of the caller to close' });
  }
}

const isDisturbed = (messages: number): Promise<true> =>
  waitUntil(() => link.disturbed.disturbedChunks === messages, { what: `${messages} disturbed messages` });

const DEAF: Disturbance = { kind: 'one-way link', drops: 'from server' };
const MUTE: Disturbance = { kind: 'one-way link', drops: 'to server' };

beforeEach(async () => {
  link = await Link.open(await listen());
});
afterEach(async () => {
  await link.close();
  await endServer();
});

test('a link forwards data and the end of the connection in both directions', async () => {
  const caller = new Caller();
  const text = Array.from({ length: 50_000 }, (_, number) => `${number},`).join('');
  caller.socket.end(text);
  await caller.isClosed();
  expect(caller.received === text).toBe(true);
});

test('a link closes connections while the server is down, and forwards data again afterwards', async () => {
  const caller = await Caller.open();
  for (const socket of sockets) socket.resetAndDestroy();
  await caller.isClosed();
  const address: AddressInfo | string | null = echo.address();
  await endServer();
  await new Caller().isClosed();
  await listen(typeof address === 'string' ? 0 : address?.port);
  expect((await Caller.open()).received).toBe('a');
});

test('a link that refuses closes all connections, and new ones until it refuses no more', async () => {
  const caller = await Caller.open();
  link.refuse(true);
  await caller.isClosed();
  await new Caller().isClosed();
  link.refuse(false);
  expect((await Caller.open()).received).toBe('a');
});

test('a slow link delays data in each direction, and forwards it at once when the disturbance ends', async () => {
  const caller = await Caller.open();
  link.set({ kind: 'slow link', delayMs: 100 });
  const begun = performance.now();
  caller.socket.write('b');
  await caller.receives('ab');
  expect(performance.now() - begun).toBeGreaterThanOrEqual(199);
  expect(link.disturbed).toEqual({ opened: 0, disturbedChunks: 2 });
  link.set({ kind: 'slow link', delayMs: 3_600_000 });
  caller.socket.write('c');
  await isDisturbed(1);
  link.set({ kind: 'normal' });
  await caller.receives('abc');
});

test('a one-way link drops what is sent to the server, and closes the connection when the disturbance ends', async () => {
  const caller = await Caller.open();
  link.set(MUTE);
  caller.socket.write('b');
  for (const socket of sockets) socket.write('c');
  await caller.receives('ac');
  await isDisturbed(2);
  expect(caller.socket.closed).toBe(false);
  link.set({ kind: 'normal' });
  await caller.isClosed();
  expect(received).toBe('a');
});

test('a one-way link drops the answer of a server that received the request', async () => {
  const caller = await Caller.open();
  link.set(DEAF);
  caller.socket.write('b');
  await isDisturbed(2);
  link.set({ kind: 'normal' });
  await caller.isClosed();
  expect([caller.received, received]).toEqual(['a', 'ab']);
});

test('a one-way link that dropped the end of a connection closes it when the disturbance ends', async () => {
  const caller = await Caller.open();
  link.set(DEAF);
  for (const socket of sockets) socket.end();
  await isDisturbed(1);
  caller.socket.end();
  await waitUntil(() => sockets.size === 0, { what: 'the connection of the server to close' });
  link.set({ kind: 'normal' });
  await caller.isClosed();
  expect(caller.received).toBe('a');
});

test('a one-way link keeps connections that have lost no data', async () => {
  const caller = await Caller.open();
  link.set(MUTE);
  link.set({ kind: 'normal' });
  caller.socket.write('b');
  expect(await caller.receives('ab')).toBe(true);
});

test('a blackhole keeps data and connections, and delivers them when it ends, also of a sender that has closed', async () => {
  const [caller, leaving] = [await Caller.open(), await Caller.open()];
  link.set({ kind: 'blackhole' });
  caller.socket.write('b');
  const late = new Caller();
  await once(late.socket, 'connect');
  late.socket.write('c');
  leaving.socket.write('d', () => leaving.socket.destroy());
  await leaving.isClosed();
  await isDisturbed(2);
  expect([caller.received, received, sockets.size, link.disturbed.opened]).toEqual(['a', 'aa', 2, 1]);
  link.set({ kind: 'normal' });
  await Promise.all([caller.receives('ab'), late.receives('c')]);
  await waitUntil(() => received.includes('d'), { what: 'the server to receive the late data' });
});

test('a closed link closes the connections that wait in a blackhole', async () => {
  link.set({ kind: 'blackhole' });
  const caller = new Caller();
  await once(caller.socket, 'connect');
  const address: AddressInfo | string | null = echo.address();
  await link.close();
  await caller.isClosed();
  expect(received).toBe('');
  link = await Link.open(typeof address === 'string' ? 0 : (address?.port ?? 0));
});

import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { waitUntil } from '../support/wait-until.js';
import { Link } from './link.js';

/** Answers each piece of text with the same text, and remembers what it heard. */
class Echo {
  heard = '';
  readonly sockets = new Set<Socket>();
  private readonly server: Server = createServer((socket) => {
    this.sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => this.sockets.delete(socket));
    socket.on('data', (bytes) => {
      this.heard += bytes.toString();
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

/** One end of a connection over the link, and what it has heard. */
class Caller {
  heard = '';
  isClosed = false;
  readonly socket: Socket;

  constructor(link: Link) {
    this.socket = connect(link.port, '127.0.0.1');
    this.socket.on('error', () => undefined).on('close', () => (this.isClosed = true));
    this.socket.on('data', (bytes) => (this.heard += bytes.toString()));
  }

  /** What it has heard, once that is so many characters. */
  async hears(length: number): Promise<string> {
    await waitUntil(() => this.heard.length >= length, { what: `the caller to hear ${length}`, everyMs: 2 });
    return this.heard;
  }
}

/** Long enough for anything that is passed on at once to arrive. */
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

describe('a link', () => {
  test('passes everything on in both directions, in order, and the end of it', async () => {
    const caller = call();
    const text = Array.from({ length: 50_000 }, (_, number) => `${number},`).join('');
    caller.socket.end(text);
    await waitUntil(() => caller.isClosed, { what: 'the connection to end' });
    expect(caller.heard === text).toBe(true);
  });

  test('breaks the connection of a caller whose server broke it', async () => {
    const caller = call();
    caller.socket.write('a');
    expect(await caller.hears(1)).toBe('a');
    for (const socket of echo.sockets) socket.resetAndDestroy();
    await waitUntil(() => caller.isClosed, { what: 'the caller to be cut off' });
  });

  test('cuts off whoever calls while the server is away, and leads there again afterwards', async () => {
    await echo.close();
    const early = call();
    await waitUntil(() => early.isClosed, { what: 'the caller to be cut off' });
    echo = new Echo();
    await echo.listen(serverPort);
    const caller = call();
    caller.socket.write('a');
    expect(await caller.hears(1)).toBe('a');
  });
});

describe('a slow link', () => {
  test('delays each direction by its time', async () => {
    const caller = call();
    caller.socket.write('a');
    expect(await caller.hears(1)).toBe('a');
    link.set({ kind: 'slow link', delayMs: 100 });
    const begun = performance.now();
    caller.socket.write('b');
    expect(await caller.hears(2)).toBe('ab');
    expect(performance.now() - begun).toBeGreaterThanOrEqual(199);
    expect(link.met).toEqual({ opened: 0, disturbedChunks: 2 });
  });

  test('passes on at once what is under way when it is whole again', async () => {
    const caller = call();
    link.set({ kind: 'slow link', delayMs: 3_600_000 });
    caller.socket.write('a');
    await waitUntil(() => link.met.disturbedChunks > 0, { what: 'the link to meet the text' });
    link.set({ kind: 'whole' });
    caller.socket.write('b');
    expect(await caller.hears(2)).toBe('ab');
  });
});

describe('a one-way link', () => {
  test('drops what is sent to the server, and cuts the connection in the end', async () => {
    const caller = call();
    caller.socket.write('a');
    expect(await caller.hears(1)).toBe('a');
    link.set({ kind: 'one-way link', drops: 'to server' });
    caller.socket.write('b');
    for (const socket of echo.sockets) socket.write('c');
    expect(await caller.hears(2)).toBe('ac');
    await waitUntil(() => link.met.disturbedChunks === 2, { what: 'the link to meet both texts' });
    expect(caller.isClosed).toBe(false);
    link.set({ kind: 'whole' });
    await waitUntil(() => caller.isClosed && echo.sockets.size === 0, { what: 'both sides to be cut off' });
    expect(echo.heard).toBe('a');
  });

  test('drops what the server answers, which has done what it was asked', async () => {
    const caller = call();
    link.set({ kind: 'one-way link', drops: 'from server' });
    caller.socket.write('a');
    await waitUntil(() => link.met.disturbedChunks === 2, { what: 'the link to meet the answer' });
    link.set({ kind: 'whole' });
    await waitUntil(() => caller.isClosed, { what: 'the caller to be cut off' });
    expect({ heard: caller.heard, asked: echo.heard }).toEqual({ heard: '', asked: 'a' });
  });

  test('cuts off in the end who has said all and never heard that the server had too', async () => {
    const caller = call();
    caller.socket.write('a');
    expect(await caller.hears(1)).toBe('a');
    link.set({ kind: 'one-way link', drops: 'from server' });
    for (const socket of echo.sockets) socket.end();
    await waitUntil(() => link.met.disturbedChunks === 1, { what: 'the link to meet the end' });
    caller.socket.end();
    await waitUntil(() => echo.sockets.size === 0, { what: 'the server to be rid of the connection' });
    link.set({ kind: 'whole' });
    await waitUntil(() => caller.isClosed, { what: 'the caller to be cut off' });
  });

  test('leaves connections alone that have lost nothing', async () => {
    const caller = call();
    caller.socket.write('a');
    expect(await caller.hears(1)).toBe('a');
    link.set({ kind: 'one-way link', drops: 'to server' });
    link.set({ kind: 'whole' });
    caller.socket.write('b');
    expect(await caller.hears(2)).toBe('ab');
  });
});

describe('a blackhole', () => {
  test('answers nothing, keeps what is sent, and delivers it when it is over', async () => {
    const caller = call();
    caller.socket.write('a');
    expect(await caller.hears(1)).toBe('a');
    link.set({ kind: 'blackhole' });
    caller.socket.write('b');
    await aMoment();
    expect({ caller: caller.heard, server: echo.heard }).toEqual({ caller: 'a', server: 'a' });
    link.set({ kind: 'whole' });
    expect(await caller.hears(2)).toBe('ab');
  });

  test('lets connections hang that are opened meanwhile; the server hears of them when it is over', async () => {
    link.set({ kind: 'blackhole' });
    const caller = call();
    await once(caller.socket, 'connect');
    caller.socket.write('a');
    await aMoment();
    expect({ sockets: echo.sockets.size, heard: caller.heard }).toEqual({ sockets: 0, heard: '' });
    expect(link.met.opened).toBe(1);
    link.set({ kind: 'whole' });
    expect(await caller.hears(1)).toBe('a');
  });

  test('delivers in the end also what its sender has given up', async () => {
    const caller = call();
    caller.socket.write('a');
    expect(await caller.hears(1)).toBe('a');
    link.set({ kind: 'blackhole' });
    caller.socket.write('late', () => caller.socket.destroy());
    await waitUntil(() => caller.isClosed, { what: 'the caller to be gone' });
    await aMoment();
    expect(echo.heard).toBe('a');
    link.set({ kind: 'whole' });
    await waitUntil(() => echo.heard === 'alate', { what: 'the server to hear it' });
    await waitUntil(() => echo.sockets.size === 0, { what: 'the connection to end' });
  });

  test('is over for all when the link is closed', async () => {
    link.set({ kind: 'blackhole' });
    const caller = call();
    await once(caller.socket, 'connect');
    await link.close();
    await waitUntil(() => caller.isClosed, { what: 'the caller to be cut off' });
    expect(echo.heard).toBe('');
    link = await Link.open(serverPort);
  });
});

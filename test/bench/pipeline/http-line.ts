import { connect, type Socket } from 'node:net';

export interface Answered {
  readonly status: number;
  readonly body: string;
}

const END_OF_HEAD = '\r\n\r\n';

/**
 * A kept-alive connection on which one request follows another: as little of an HTTP client as measuring needs, since
 * it shares the processors with what it measures.
 */
export class HttpLine {
  private socket: Socket;
  private text = '';
  private waiting: { resolve(answer: Answered): void; reject(fault: Error): void } | null = null;

  constructor(private readonly url: URL) {
    this.socket = this.open();
  }

  /** @param message the whole request: head, empty line, body */
  ask(message: string): Promise<Answered> {
    // The server ends what has been quiet for long, and nothing would ever be said of what is written then.
    if (this.socket.destroyed || this.socket.readableEnded) this.socket = this.open();
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject };
      this.socket.write(message);
    });
  }

  private open(): Socket {
    const socket = connect({ host: this.url.hostname, port: Number(this.url.port), noDelay: true });
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => this.hear(chunk));
    // What becomes of a former connection concerns nobody any more.
    socket.on('error', (fault) => socket === this.socket && this.fail(fault));
    socket.on('close', () => socket === this.socket && this.fail(new Error('the connection was closed')));
    return socket;
  }

  close(): void {
    this.waiting = null;
    this.socket.destroy();
  }

  private hear(chunk: string): void {
    this.text += chunk;
    const head = this.text.indexOf(END_OF_HEAD);
    if (head < 0) return;
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(this.text)?.[1] ?? 0);
    const end = head + END_OF_HEAD.length + length;
    if (this.text.length < end) return;
    const answer = {
      status: Number(this.text.slice(9, 12)),
      body: this.text.slice(head + END_OF_HEAD.length, end),
    };
    this.text = this.text.slice(end);
    const asker = this.waiting;
    this.waiting = null;
    asker?.resolve(answer);
  }

  private fail(fault: Error): void {
    this.waiting?.reject(fault);
    this.waiting = null;
  }
}

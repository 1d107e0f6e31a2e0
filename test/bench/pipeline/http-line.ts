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
  private readonly socket: Socket;
  private text = '';
  private waiting: { resolve(answer: Answered): void; reject(fault: Error): void } | null = null;

  constructor(url: URL) {
    this.socket = connect({ host: url.hostname, port: Number(url.port), noDelay: true });
    this.socket.setEncoding('latin1');
    this.socket.on('data', (chunk: string) => this.hear(chunk));
    this.socket.on('error', (fault) => this.fail(fault));
    this.socket.on('close', () => this.fail(new Error('the connection was closed')));
  }

  /** @param message the whole request: head, empty line, body */
  ask(message: string): Promise<Answered> {
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject };
      this.socket.write(message);
    });
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

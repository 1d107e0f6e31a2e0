import { connect, type Socket } from 'node:net';

export interface Answer {
  readonly status: number;
  /** The status line and the headers. */
  readonly head: string;
  readonly body: string;
}

const END_OF_HEAD = '\r\n\r\n';

/**
 * A kept-alive HTTP connection for requests in sequence. It costs a fraction of an HTTP client, because the producers
 * share the processors with the measured processes.
 */
export class HttpLine {
  private socket: Socket;
  private text = '';
  private pending: PromiseWithResolvers<Answer> | null = null;

  constructor(private readonly url: URL) {
    this.socket = this.open();
  }

  /** @param message the complete request: head, empty line, body */
  async send(message: string): Promise<Answer> {
    // The server closes idle connections.
    if (this.socket.destroyed || this.socket.readableEnded) this.socket = this.open();
    this.pending = Promise.withResolvers();
    this.socket.write(message);
    return this.pending.promise;
  }

  close(): void {
    this.pending = null;
    this.socket.destroy();
  }

  private open(): Socket {
    const socket = connect({ host: this.url.hostname, port: Number(this.url.port), noDelay: true });
    const fail = (error: Error): void => {
      if (socket === this.socket) this.pending?.reject(error);
    };
    return socket
      .setEncoding('latin1')
      .on('data', (chunk: string) => this.read(chunk))
      .on('error', fail)
      .on('close', () => fail(new Error('the connection was closed')));
  }

  private read(chunk: string): void {
    this.text += chunk;
    const head = this.text.indexOf(END_OF_HEAD);
    if (head < 0) return;
    const start = head + END_OF_HEAD.length;
    const end = start + Number(/\r\ncontent-length: (\d+)/i.exec(this.text)?.[1] ?? 0);
    if (this.text.length < end) return;
    const answer = {
      status: Number(this.text.slice(9, 12)),
      head: this.text.slice(0, head),
      body: this.text.slice(start, end),
    };
    this.text = this.text.slice(end);
    this.pending?.resolve(answer);
    this.pending = null;
  }
}

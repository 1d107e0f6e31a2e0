import type { Socket } from 'node:net';

/** Up to the status of a 1xx answer: `status-line` of RFC 9112, section 4. */
const INTERIM = /^HTTP\/\d\.\d 1\d\d$/;
const STATUS_ENDS_AT = 'HTTP/1.1 100'.length;
const END_OF_HEAD = '\r\n\r\n';
const CR = 0x0d;
const LF = 0x0a;
const DIGIT_2 = 0x32;

/**
 * Lets a consumer send `100 Continue` before its answer although we never ask for it: RFC 9110, section 15.2, wants such
 * answers read over. The client breaks the connection over it, and reads over every other status below 200, so a 100
 * becomes a 102 on its way to the client. Nothing is held back or left out: the client's limits hold as for any other 1xx.
 */
export function admitUnaskedContinue(socket: Socket): void {
  const heads = new AnswerHeads();
  const push = socket.push.bind(socket);
  let written = socket.bytesWritten;
  // `push` is where a socket receives, TCP and TLS alike, before anything else sees the bytes.
  socket.push = (chunk: unknown, encoding?: BufferEncoding): boolean => {
    // A connection carries one exchange at a time: what comes first after a request is the head of an answer.
    if (socket.bytesWritten !== written) {
      written = socket.bytesWritten;
      heads.expectAnswer();
    }
    if (Buffer.isBuffer(chunk)) heads.read(chunk);
    return push(chunk, encoding);
  };
}

/** Finds the status lines of the heads before the final one, in bytes that may be cut anywhere. */
export class AnswerHeads {
  /** The beginning of the status line; a final one's, or what is none, ends the search. */
  #line = '';
  /** How much of END_OF_HEAD was just read. */
  #matched = 0;
  #isSearching = false;

  /** A request was sent: the next byte belongs to an answer. */
  expectAnswer(): void {
    this.#line = '';
    this.#matched = 0;
    this.#isSearching = true;
  }

  /** Makes a 102 of each 100, in place. */
  read(bytes: Buffer): void {
    for (let at = 0; at < bytes.length && this.#isSearching; at += 1) {
      const byte = bytes.readUInt8(at);
      if (this.#line.length === STATUS_ENDS_AT) this.#readRestOfHead(byte);
      else if (this.#readStatus(byte) === '100') bytes[at] = DIGIT_2;
    }
  }

  /** @returns the status of an interim answer when this was its last byte */
  #readStatus(byte: number): string | null {
    // The client's parser skips empty lines between answers.
    if (this.#line === '' && (byte === CR || byte === LF)) return null;
    this.#line += String.fromCharCode(byte);
    if (this.#line.length < STATUS_ENDS_AT) return null;
    this.#isSearching = INTERIM.test(this.#line);
    return this.#isSearching ? this.#line.slice(-3) : null;
  }

  #readRestOfHead(byte: number): void {
    if (byte === END_OF_HEAD.charCodeAt(this.#matched)) this.#matched += 1;
    else this.#matched = byte === CR ? 1 : 0;
    if (this.#matched === END_OF_HEAD.length) this.expectAnswer();
  }
}

import type { Socket } from 'node:net';

/** Up to the status of a 1xx answer: `status-line` of RFC 9112, section 4. */
const INTERIM = /^HTTP\/\d\.\d 1\d\d$/;
const STATUS_ENDS_AT = 'HTTP/1.1 100'.length;
const END_OF_HEAD = '\r\n\r\n';
const CR = 0x0d;
const LF = 0x0a;
const DIGIT_2 = 0x32;

/**
 * Accepts a `100 Continue` that was not requested: RFC 9110, section 15.2, has clients ignore it. undici closes the
 * connection instead, but ignores every other status below 200, so each 100 is changed to a 102 before undici reads it.
 * No byte is delayed or removed: undici's limits for 1xx answers apply.
 */
export function acceptUnsolicitedContinue(socket: Socket): void {
  const heads = new AnswerHeads();
  const push = socket.push.bind(socket);
  let written = socket.bytesWritten;
  // Both TCP and TLS sockets receive bytes by `push`, before any other code reads them.
  socket.push = (chunk: unknown, encoding?: BufferEncoding): boolean => {
    // A connection has one exchange at a time: the first bytes after a request are the head of an answer.
    if (socket.bytesWritten !== written) {
      written = socket.bytesWritten;
      heads.expectAnswer();
    }
    if (Buffer.isBuffer(chunk)) heads.read(chunk);
    return push(chunk, encoding);
  };
}

/** Finds the status lines of interim answers, in chunks of any size. */
export class AnswerHeads {
  /** The beginning of the status line; a final status, or other text, ends the search. */
  #line = '';
  /** Characters of END_OF_HEAD read last. */
  #matched = 0;
  #isSearching = false;

  /** A request was sent: an answer begins with the next byte. */
  expectAnswer(): void {
    this.#line = '';
    this.#matched = 0;
    this.#isSearching = true;
  }

  /** Changes each 100 to a 102, in place. */
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

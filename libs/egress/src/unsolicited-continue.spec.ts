import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { makeCertificate } from './testing/certificates.js';
import { loopbackEgress } from './testing/loopback-egress.js';
import { posting } from './testing/posting.js';
import { AnswerHeads } from './unsolicited-continue.js';

const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';
const final = (body: string): string =>
  `HTTP/1.1 200 OK\r\ncontent-length: ${String(Buffer.byteLength(body))}\r\n\r\n${body}`;

const interim = fc
  .record({
    status: fc.constantFrom('100', '100', '102', '103', '199'),
    reason: fc.constantFrom('', ' ', ' Continue', ' HTTP/1.1 100'),
    headers: fc.array(fc.constantFrom('link: </a>', 'x-text: HTTP/1.1 100 Continue', 'content-length: 3')),
    gap: fc.constantFrom('', '', '\r\n'),
  })
  .map(({ status, reason, headers, gap }) => ({
    status,
    bytes: `HTTP/1.1 ${status}${reason}\r\n${headers.map((line) => `${line}\r\n`).join('')}\r\n${gap}`,
  }));
const body = fc.constantFrom('', 'ok', `${CONTINUE}${CONTINUE}`, `\r\n\r\n${CONTINUE}`);
const answered = fc.record({ before: fc.array(interim, { maxLength: 5 }), body });

/** Cuts the bytes at these positions. */
function pieces(text: string, cuts: readonly number[]): Buffer[] {
  const bytes = Buffer.from(text, 'latin1');
  const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].toSorted((a, b) => a - b);
  return [...places, bytes.length].map((to, index) =>
    Buffer.from(bytes.subarray(places[index - 1] ?? 0, to)),
  );
}

describe('AnswerHeads', () => {
  it('changes only each 100 Continue to 102 for any chunks of an answer', () => {
    fc.assert(
      fc.property(fc.array(answered), fc.array(fc.nat(), { maxLength: 30 }), (exchanges, cuts) => {
        const heads = new AnswerHeads();
        for (const { before, body: text } of exchanges) {
          heads.expectAnswer();
          const parts = pieces(before.map(({ bytes }) => bytes).join('') + final(text), cuts);
          for (const part of parts) heads.read(part);
          const expected = before
            .map(({ bytes }) => bytes.replace(/^HTTP\/1.1 100/, 'HTTP/1.1 102'))
            .join('');
          expect(Buffer.concat(parts).toString('latin1')).toBe(expected + final(text));
        }
      }),
    );
  });

  it('changes no 100 Continue before a request', () => {
    const early = Buffer.from(CONTINUE);
    new AnswerHeads().read(early);
    expect(early.toString()).toBe(CONTINUE);
  });

  it('changes no 100 Continue after text that is not HTTP', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 12, unit: 'binary-ascii' }), (text) => {
        fc.pre(!/^[\r\n]*HTTP/.test(text) && text.trimStart().length >= 12);
        const heads = new AnswerHeads();
        heads.expectAnswer();
        const bytes = Buffer.from(text + CONTINUE);
        heads.read(bytes);
        expect(bytes.toString()).toBe(text + CONTINUE);
      }),
    );
  });
});

describe('answer after an unsolicited 100 Continue', () => {
  const { consumers, egress } = loopbackEgress();

  it.each([
    ['one 100 Continue', CONTINUE],
    ['three of 100 Continue', CONTINUE.repeat(3)],
    [
      '100, 102, 103 and 100',
      `${CONTINUE}HTTP/1.1 102 P\r\n\r\nHTTP/1.1 103 E\r\nlink: </a>\r\n\r\n${CONTINUE}`,
    ],
  ])('accepts an answer after %s', async (_, before) => {
    const url = await consumers.saying(before + final(CONTINUE));
    expect(await egress.post(posting(url))).toMatchObject({
      outcome: 'acknowledged',
      httpStatus: 200,
      responseBody: CONTINUE,
    });
  });

  it('accepts an answer after 100 Continue in any chunks, on kept connections', async () => {
    const text = CONTINUE + final(CONTINUE);
    const cuts = Array.from({ length: text.length }, (_, cut) => cut);
    const url = await consumers.raw((socket) => {
      const answer = (): void => {
        const [first, second] = pieces(text, [cuts.shift() ?? 0]);
        socket.setNoDelay(true).write(first ?? '', () => setImmediate(() => socket.write(second ?? '')));
      };
      answer();
      socket.on('data', answer);
    });
    const requests = cuts.length;
    for (let request = 0; request < requests; request += 1) {
      expect(await egress.post(posting(url))).toMatchObject({
        outcome: 'acknowledged',
        responseBody: CONTINUE,
      });
    }
    // A connection is free again a moment after the end of its answer.
    expect(consumers.openConnections).toBeLessThanOrEqual(2);
  });

  it('accepts an answer after 100 Continue that begins before a large request body was sent', async () => {
    const url = await consumers.raw((socket) => {
      // The request waits in the sender until the answer has begun.
      socket.pause().write(CONTINUE + final(CONTINUE + 'x'.repeat(20)).slice(0, -20), () => {
        socket.once('end', () => undefined).resume();
        socket.write('x'.repeat(20));
      });
    });
    const exchange = await egress.post(posting(url, { body: 'y'.repeat(5_000_000) }));
    expect(exchange).toMatchObject({ outcome: 'acknowledged', responseBody: `${CONTINUE}${'x'.repeat(20)}` });
  });

  it('accepts an answer after 100 Continue over TLS, with the certificate of the server', async () => {
    const certificate = makeCertificate('IP:127.0.0.1');
    const url = await consumers.https(certificate, (_, response) => {
      response.writeContinue();
      response.end('ok');
    });
    const tls = { caCertificate: certificate.cert };
    for (const _ of [1, 2]) {
      expect(await egress.post(posting(url, { tls }))).toMatchObject({
        outcome: 'acknowledged',
        responseBody: 'ok',
        serverCertificate: { subject: 'CN=consumer' },
      });
    }
    // A connection is free again a moment after the end of its answer.
    expect(consumers.openConnections).toBeLessThanOrEqual(2);
  });
});

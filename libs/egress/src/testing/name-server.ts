import { createSocket, type Socket } from 'node:dgram';
import { Resolver } from 'node:dns';
import { once } from 'node:events';
import type { Lookup } from '../guarded-lookup.js';

const TYPE_A = 1;
const TYPE_AAAA = 28;
const HEADER_BYTES = 12;
/** Response, recursion desired and available. */
const FLAGS = 0x8180;

/**
 * A name server on the loopback (RFC 1035, over UDP). The test gives the addresses, which may differ for each question.
 * Every answer has a TTL of 0.
 */
export class NameServer {
  /** Questions so far, as `A name` or `AAAA name`. */
  readonly questions: string[] = [];

  /** @param addressesOf called for each question; returns IPv4 and IPv6 addresses, of which each question gets its own kind */
  static async start(addressesOf: (name: string, asked: number) => readonly string[]): Promise<NameServer> {
    const socket = createSocket('udp4');
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    return new NameServer(socket, addressesOf);
  }

  private constructor(
    private readonly socket: Socket,
    addressesOf: (name: string, asked: number) => readonly string[],
  ) {
    const asked = new Map<string, number>();
    socket.on('message', (query, { port, address }) => {
      const { name, type, question } = readQuestion(query);
      const key = `${type === TYPE_A ? 'A' : 'AAAA'} ${name}`;
      this.questions.push(key);
      asked.set(key, (asked.get(key) ?? 0) + 1);
      const wanted = addressesOf(name, asked.get(key) ?? 1).filter(
        (each) => each.includes(':') === (type === TYPE_AAAA),
      );
      const header = Buffer.alloc(HEADER_BYTES);
      query.copy(header, 0, 0, 2);
      header.writeUInt16BE(FLAGS, 2);
      header.writeUInt16BE(1, 4);
      header.writeUInt16BE(wanted.length, 6);
      socket.send(Buffer.concat([header, question, ...wanted.map(answerOf)]), port, address);
    });
  }

  /** A lookup with the interface of `dns.lookup` (`all`) that asks this server only. */
  get lookup(): Lookup {
    const resolver = new Resolver();
    resolver.setServers([`127.0.0.1:${this.socket.address().port}`]);
    return (hostname, _, found) => {
      resolver.resolve4(hostname, (fault4, four) => {
        resolver.resolve6(hostname, (fault6, six) => {
          const all = [
            ...(fault4 === null ? four.map((address) => ({ address, family: 4 })) : []),
            ...(fault6 === null ? six.map((address) => ({ address, family: 6 })) : []),
          ];
          found(all.length === 0 ? fault4 : null, all);
        });
      });
    };
  }

  async stop(): Promise<void> {
    const closed = once(this.socket, 'close');
    this.socket.close();
    await closed;
  }
}

function readQuestion(query: Buffer): { name: string; type: number; question: Buffer } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('ascii', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const end = at + 5;
  return {
    name: labels.join('.'),
    type: query.readUInt16BE(at + 1),
    question: query.subarray(HEADER_BYTES, end),
  };
}

/** Of the name in the question (a pointer to it), class IN, for 0 seconds. */
function answerOf(address: string): Buffer {
  const bytes = address.includes(':') ? ipv6Bytes(address) : Buffer.from(address.split('.').map(Number));
  const record = Buffer.alloc(HEADER_BYTES);
  record.writeUInt16BE(0xc00c, 0);
  record.writeUInt16BE(bytes.length === 4 ? TYPE_A : TYPE_AAAA, 2);
  record.writeUInt16BE(1, 4);
  record.writeUInt16BE(bytes.length, 10);
  return Buffer.concat([record, bytes]);
}

function ipv6Bytes(address: string): Buffer {
  const [before = '', after] = address.split('::');
  const groups = (part: string): string[] => (part === '' ? [] : part.split(':'));
  const [head, tail] = [groups(before), groups(after ?? '')];
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0');
  const all = after === undefined ? head : [...head, ...zeros, ...tail];
  return Buffer.from(all.map((group) => group.padStart(4, '0')).join(''), 'hex');
}

import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Admin, Consumer, Producer, type Message } from '@platformatic/kafka';
import { freePort } from '#test/support/free-port';
import { RunningCommand } from '#test/support/running-command';
import { temporaryFolder, type TemporaryFolder } from '#test/support/temporary-folder';
import { LONGEST_WAIT_MS, StopWaitingError, waitUntil } from '#test/support/wait-until';

/** Where scripts/ensure-kafka.mjs puts the broker's jars. */
const JARS = join(import.meta.dirname, '../../node_modules/.cache/kafka-4.4.0');
/** In CI a broker that is missing fails the tests. */
export const hasKafka = existsSync(JARS) || process.env['CI'] !== undefined;

/** A small heap, and the faster of Java's two compilers: the broker lives for seconds. */
const JAVA = ['-Xmx256m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-cp', join(JARS, '*')];

export interface Sent {
  topic: string;
  key?: string;
  value?: string;
  headers?: Readonly<Record<string, string>>;
}

/** One Apache Kafka broker, which is its own controller, for one test file. */
export class OwnKafka {
  /** Starts it with an empty folder. The caller calls `remove`. */
  static async create(): Promise<OwnKafka> {
    const folder = await temporaryFolder('kafka');
    const [port, controller] = [await freePort(), await freePort()];
    const settings = {
      'process.roles': 'broker,controller',
      'node.id': 1,
      'controller.quorum.voters': `1@127.0.0.1:${String(controller)}`,
      'controller.listener.names': 'CONTROLLER',
      listeners: `PLAINTEXT://127.0.0.1:${String(port)},CONTROLLER://127.0.0.1:${String(controller)}`,
      'log.dirs': join(folder.path, 'data'),
      'offsets.topic.replication.factor': 1,
      'offsets.topic.num.partitions': 1,
      'group.initial.rebalance.delay.ms': 0,
      'auto.create.topics.enable': false,
    };
    const file = join(folder.path, 'server.properties');
    await writeFile(
      file,
      Object.entries(settings)
        .map(([name, value]) => `${name}=${String(value)}\n`)
        .join(''),
    );
    const format = await java(
      'kafka.tools.StorageTool',
      'format',
      '-t',
      'dGVzdHRlc3R0ZXN0dGVzdA',
      '-c',
      file,
    );
    await format.exited;
    const kafka = new OwnKafka(folder, port, await java('kafka.Kafka', file));
    await waitUntil(() => kafka.answers(), {
      what: () => `Kafka to answer. Its output:\n${kafka.broker.output}`,
    });
    return kafka;
  }

  private readonly connection;
  private readonly admin: Admin;
  private readonly producer;

  private constructor(
    private readonly folder: TemporaryFolder,
    readonly port: number,
    private readonly broker: RunningCommand,
  ) {
    this.connection = { clientId: 'test', bootstrapBrokers: [`127.0.0.1:${String(port)}`] };
    this.admin = new Admin(this.connection);
    this.producer = new Producer<Buffer, Buffer, string>({
      ...this.connection,
      acks: -1,
      // A repeated request could write its records twice: a broker that is not ready, or is slow, fails the test instead.
      retries: 0,
      repeatOnStaleMetadata: false,
      timeout: LONGEST_WAIT_MS,
      serializers: { headerKey: (name) => Buffer.from(name ?? '') },
    });
  }

  async createTopics(...topics: string[]): Promise<void> {
    await this.admin.createTopics({ topics, partitions: 4, replicas: 1 });
    // The broker answers before it leads the new partitions.
    for (const topic of topics)
      await waitUntil(async () => (await this.count(topic)) === 0, { what: `the topic ${topic}` });
  }

  /** Records without a value are tombstones. */
  async send(records: readonly Sent[]): Promise<void> {
    const messages = records.map(({ topic, key, value, headers = {} }) => {
      const texts = Object.entries(headers).map(([name, text]) => [name, Buffer.from(text)] as const);
      return {
        topic,
        headers: new Map(texts),
        ...(key !== undefined && { key: Buffer.from(key) }),
        ...(value !== undefined && { value: Buffer.from(value) }),
      };
    });
    await this.producer.send({ messages });
  }

  /** The records of a topic, from its beginning, as soon as it has this many. */
  async read(topic: string, count: number): Promise<{ value: string; headers: Record<string, string> }[]> {
    const consumer = new Consumer({ ...this.connection, groupId: `reader of ${topic}`.replaceAll(' ', '-') });
    const records: Message[] = [];
    const stream = await consumer.consume({ topics: [topic], mode: 'earliest', autocommit: false });
    for await (const record of stream) if (records.push(record) === count) break;
    await consumer.close(true);
    return records.map(({ value, headers }) => ({
      value: String(value),
      headers: Object.fromEntries([...headers].map(([name, text]) => [String(name), String(text)])),
    }));
  }

  /** How many records a topic has. */
  async count(topic: string): Promise<number> {
    const consumer = new Consumer({ ...this.connection, groupId: 'counter' });
    const offsets = (await consumer.listOffsets({ topics: [topic] })).get(topic) ?? [];
    await consumer.close();
    return offsets.reduce((sum, offset) => sum + Number(offset), 0);
  }

  /** Stops it and removes its data. */
  async remove(): Promise<void> {
    await Promise.allSettled([this.admin.close(), this.producer.close()]);
    await this.broker.end('SIGKILL');
    await this.folder.remove();
  }

  private async answers(): Promise<true> {
    if (!this.broker.isRunning) throw new StopWaitingError(`Kafka ended:\n${this.broker.output}`);
    await this.admin.listTopics();
    return true;
  }
}

const java = (...args: string[]): Promise<RunningCommand> =>
  RunningCommand.start({ file: 'java', args: [...JAVA, ...args] });

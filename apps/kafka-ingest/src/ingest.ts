import { Consumer, ProduceAcks, Producer as KafkaProducer, type MessagesStream } from '@platformatic/kafka';
import type { Logger } from 'pino';
import { postRecords, type Posting } from './post-records.js';
import { deadLetterOf, type KafkaRecord } from './record.js';
import { connectionOf, type Settings } from './settings.js';

/** The largest batch of the api. This many records are read ahead, and one answer of a broker: it bounds the memory. */
const MAX_RECORDS = 500;
const MAX_FETCHED_BYTES = 5 * 1024 * 1024;
/** How long the partitions of a killed member wait for another one. Heartbeats are sent every 3 s. */
const SESSION_TIMEOUT_MS = 10_000;

type Stream = MessagesStream<Buffer, Buffer, string, Buffer>;
export type Member = Consumer<Buffer, Buffer, string>;

export interface Ingest {
  readonly settings: Settings;
  readonly producer: Posting['producer'];
  readonly logger: Logger;
  /** Ends it after the records in hand. */
  readonly stopping: AbortSignal;
  /** Ends it without the answers about them. */
  readonly givingUp: AbortSignal;
  /** Gets the member of the group, and undefined when it has left. */
  readonly onMember: (member: Member | undefined) => void;
}

/**
 * Reads the topics as a member of the group: posts, sends what was refused to the dead-letter topic, then commits.
 *
 * A committed offset means that every record before it was accepted, or is in the dead-letter topic. So nothing has to be
 * done when partitions change their member: two members may post the same records, under the same keys, and each one posts
 * a record after or together with the one before. Heartbeats are sent while an answer is awaited, too.
 * @throws when Kafka fails; a new member begins at the committed offsets. ConfigurationRefusedError
 */
export async function ingest({ settings, onMember, ...options }: Ingest): Promise<void> {
  const { logger, stopping } = options;
  const [topics, deadLetterTopic] = [settings.KAFKA_TOPICS.split(','), settings.KAFKA_DEAD_LETTER_TOPIC];
  const member: Member = new Consumer({
    ...connectionOf(settings),
    groupId: settings.KAFKA_GROUP_ID,
    autocommit: false,
    sessionTimeout: SESSION_TIMEOUT_MS,
    maxBytes: MAX_FETCHED_BYTES,
    highWaterMark: MAX_RECORDS,
    deserializers: { headerKey: (name) => name?.toString('utf8') },
  });
  const deadLetters = new KafkaProducer<Buffer, Buffer, string>({
    ...connectionOf(settings),
    acks: ProduceAcks.ALL,
    serializers: { headerKey: (name) => Buffer.from(name ?? '') },
  });
  try {
    // Fails when a topic is missing.
    const metadata = await member.metadata({ topics: [...topics, deadLetterTopic] });
    const topicIds = new Map([...metadata.topics].map(([name, { id }]) => [name, id]));
    member.on('consumer:group:join', ({ generationId, assignments }) =>
      logger.info({ generationId, assignments }, 'kafka.joined'),
    );
    // What is older than the first commit is not posted yet.
    const stream = await member.consume({ topics, mode: 'committed', fallbackMode: 'earliest' });
    // Without heartbeats the group gives the partitions to another member, and the stream does not notice.
    member.on('error', (error: Error) => stream.destroy(error));
    member.on('consumer:heartbeat:stalled', () =>
      stream.destroy(new Error('No broker answers a heartbeat.')),
    );
    const stopReading = (): void => void stream.close();
    stopping.addEventListener('abort', stopReading);
    stream.once('close', () => stopping.removeEventListener('abort', stopReading));
    onMember(member);
    for await (const first of stream) {
      if (stopping.aborted) break;
      const records = [first, ...readAhead(stream)];
      const refused = await postRecords(records, topicIds, { ...options, signal: options.givingUp });
      if (refused === null) break;
      for (const { record, refusal } of refused)
        logger.warn({ ...placeOf(record), ...refusal }, 'kafka.refused');
      const letters = refused.map(({ record, refusal }) => deadLetterOf(record, refusal, deadLetterTopic));
      if (letters.length > 0) await deadLetters.send({ messages: letters });
      await member.commit({ offsets: nextOffsets(records) });
      logger.info({ records: records.length, deadLetters: letters.length }, 'kafka.committed');
    }
  } finally {
    onMember(undefined);
    // Leaves the group. If no broker answers, the group removes the member when its session times out.
    await Promise.allSettled([member.close(true), deadLetters.close()]);
  }
}

/** What is in memory already, as far as it fits into one request. */
function* readAhead(stream: Stream): Generator<KafkaRecord> {
  for (let count = 1; count < MAX_RECORDS; count += 1) {
    const record: KafkaRecord | null = stream.read();
    if (record === null) return;
    yield record;
  }
}

const placeOf = ({ topic, partition, offset }: KafkaRecord) => ({ topic, partition, offset: String(offset) });

/** For each partition the offset after its last record. */
function nextOffsets(records: readonly KafkaRecord[]) {
  const last = new Map(records.map((record) => [`${record.topic}/${String(record.partition)}`, record]));
  return [...last.values()].map(({ topic, partition, offset, leaderEpoch }) => {
    return { topic, partition, offset: offset + 1n, leaderEpoch };
  });
}

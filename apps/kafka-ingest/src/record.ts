import type { Message, MessageToProduce } from '@platformatic/kafka';
import type { StatusChange } from '#packages/client';

/** A record of a topic; the names of its headers are texts. */
export type KafkaRecord = Message<Buffer, Buffer, string>;

/** Why a record can never become an event; `errors` are fields and rules, without values. */
export interface Refusal {
  readonly reason: 'not-json' | 'refused';
  readonly detail: string;
  readonly errors: readonly { readonly field: string; readonly message: string }[];
}

/** The event in a record's value; null when it is not a JSON object. The api checks its fields. */
export function eventOf({ value }: Pick<KafkaRecord, 'value'>): StatusChange | null {
  try {
    const parsed: unknown = JSON.parse(value.toString('utf8'));
    return isObject(parsed) ? parsed : null;
  } catch {
    // The error's message has a part of the value. A record without a value (a tombstone) ends here, too.
    return null;
  }
}

const isObject = (value: unknown): value is StatusChange =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The same in every delivery of the record, so that a repeated one makes no second event: the producer's own key in the
 * header `idempotency-key`, or else the record's place. The id of the topic is in it because a topic that was deleted and
 * created again begins at offset 0 with other records.
 */
export function idempotencyKeyOf(
  { headers, partition, offset }: Pick<KafkaRecord, 'headers' | 'partition' | 'offset'>,
  topicId: string,
): string {
  const given = headers.get('idempotency-key')?.toString('utf8') ?? '';
  return given === '' ? `kafka/${topicId}/${String(partition)}/${String(offset)}` : given;
}

/** A refused record for the dead-letter topic, with its place and the refusal in added headers. */
export function deadLetterOf(
  { key, value, headers, topic, partition, offset }: KafkaRecord,
  { reason, detail, errors }: Refusal,
  deadLetterTopic: string,
): MessageToProduce<Buffer, Buffer, string> {
  const added = Object.entries({ topic, partition, offset, reason, detail, errors: JSON.stringify(errors) });
  const own = added.map(([name, text]) => [`dead-letter.${name}`, Buffer.from(String(text))] as const);
  return { topic: deadLetterTopic, key, value, headers: new Map([...headers, ...own]) };
}

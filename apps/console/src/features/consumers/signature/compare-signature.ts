import { answerOf } from '../../../api/answer-of';
import { api } from '../../../api/client';
import type { Schema } from '../../../api/schema';

/** What the customer has signed and computed, as it was typed or pasted. */
export interface PastedSignature {
  readonly signature: string;
  readonly body: string;
  readonly timestamp: string;
  /** Empty: the registered one. */
  readonly url: string;
  /** Empty: the version in force. */
  readonly version: string;
}

/** Asks the api; each question is an entry in the audit log. */
export async function compareSignature(
  id: string,
  { signature, body, timestamp, url, version }: PastedSignature,
): Promise<Schema<'SignatureComparisonDto'>> {
  const answer = await answerOf(
    api.POST('/v1/consumers/{id}/explain-signature', {
      params: { path: { id } },
      body: {
        signature,
        body,
        timestamp: timestamp.trim(),
        ...(url === '' ? {} : { url }),
        ...(version === '' ? {} : { credentialVersion: Number(version) }),
      },
    }),
  );
  if (answer.kind !== 'comparison') throw new Error('The api has answered another question.');
  return answer;
}

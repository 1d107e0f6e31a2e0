import { expect, it } from '@jest/globals';
import { HOLDS } from './hold-in-words';

/** Words that name settings, tools or people of the bank, which no consumer may see. */
const INTERNAL =
  /EGRESS|ALLOW_HTTP|SECRETS_KEYRING|maxPerSecond|maxConcurrency|timeout_?ms|operator|on-call|keyring|worker|Redis|PostgreSQL|the consumer\b/i;

it('every reason of a hold has words for the consumer without names of the bank’s installation', () => {
  for (const { toConsumer } of Object.values(HOLDS)) {
    expect(toConsumer).not.toMatch(INTERNAL);
    expect(toConsumer).not.toMatch(/\b(circuit|held|dead|settled|probe)\b/i);
  }
});

import { Text } from '#libs/contracts';

/** Why somebody intervenes, where it often goes without saying; kept in the audit log. */
export class OptionalReasonDto {
  @Text({ min: 1, max: 500, optional: true, schema: { example: 'the consumer asked for it, ticket 4711' } })
  reason?: string;
}

import { Text } from '#libs/contracts';

/** Why a person intervenes, where that is often obvious; kept in the audit log. */
export class OptionalReasonDto {
  @Text({ min: 1, max: 500, optional: true, schema: { example: 'the consumer asked for it, ticket 4711' } })
  reason?: string;
}

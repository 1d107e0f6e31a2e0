import { Text } from '#libs/contracts';

/** Reason for an intervention; stored in the audit log. */
export class ReasonDto {
  @Text({ min: 1, max: 500, schema: { example: 'the consumer asked for it, ticket 4711' } })
  reason!: string;
}

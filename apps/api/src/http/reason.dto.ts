import { Text } from '#libs/contracts';

/** Reason for an intervention; stored in the audit log. */
export class ReasonDto {
  @Text({ min: 1, max: 500, schema: { example: 'the consumer asked for it, ticket 4711' } })
  reason!: string;
}

/** Optional reason for an intervention whose purpose is often obvious; stored in the audit log. */
export class OptionalReasonDto {
  @Text({ min: 1, max: 500, optional: true, schema: { example: 'the consumer asked for it, ticket 4711' } })
  reason?: string;
}

import { Text } from '#libs/contracts';

/** Body of `POST /v1/issues/:id/acknowledge`. */
export class AcknowledgeIssueDto {
  /** For colleagues, for example what was arranged with the consumer. */
  @Text({
    min: 1,
    max: 500,
    optional: true,
    schema: { example: 'called the contact; their server is back at 04:00' },
  })
  note?: string;
}

import { PageQueryDto, Text } from '#libs/contracts';

/** Filters of `GET /v1/consumers`. */
export class ConsumersQueryDto extends PageQueryDto {
  /** A part of the name, the external id or the contact, in upper or lower case. */
  @Text({ min: 1, max: 200, optional: true })
  search?: string;
}

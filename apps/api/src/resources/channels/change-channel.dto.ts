import {
  ISSUE_KINDS,
  ListOf,
  Nested,
  SEVERITIES,
  Text,
  Truth,
  UUID,
  type IssueKind,
  type Severity,
} from '#libs/contracts';
import { ChannelName } from '../../access/names.js';
import { isMailAddress, isOneOf } from './channel-items.js';
import { ChannelHoursDto } from './channel-hours.dto.js';

const isUuid = (value: unknown): string | null =>
  typeof value === 'string' && UUID.test(value) ? null : 'must be a UUID';

/**
 * What a channel is created with and what can be changed. A class that requires one of these fields cannot extend a class
 * in which the field is optional: it would inherit that the field may be absent.
 */
export class ChannelFieldsDto {
  /** Where messages are posted; of every kind but `email`. PagerDuty has a default; its EU region has another address. */
  @Text({ min: 1, max: 2_048, optional: true, schema: { format: 'uri' } })
  url?: string;

  /** PagerDuty: the integration key of a service. */
  @Text({
    optional: true,
    pattern: /^[A-Za-z0-9]{32}$/,
    patternInWords: 'must be the 32 letters and digits of an Events API v2 integration',
    schema: { example: '0123456789abcdef0123456789abcdef' },
  })
  routingKey?: string;

  /** E-mail: the addresses. */
  @ListOf(
    isMailAddress,
    { min: 1, max: 20, items: { type: 'string', format: 'email' } },
    { optional: true, schema: { example: ['payments-oncall@bank.example'] } },
  )
  recipients?: string[];

  /** Only issues of these kinds; null: of all kinds. */
  @ListOf(
    isOneOf(ISSUE_KINDS),
    { min: 1, max: ISSUE_KINDS.length, items: { type: 'string', enum: [...ISSUE_KINDS] } },
    { optional: true, nullable: true },
  )
  issueKinds?: IssueKind[] | null;

  /** Only issues of these severities. When a channel is created without them: `pagerduty` only `page`, other kinds all. */
  @ListOf(
    isOneOf(SEVERITIES),
    { min: 1, max: SEVERITIES.length, items: { type: 'string', enum: [...SEVERITIES] } },
    { optional: true },
  )
  severities?: Severity[];

  /** Only issues of these consumers; null: of all consumers and of the installation. */
  @ListOf(
    isUuid,
    { min: 1, max: 1_000, items: { type: 'string', format: 'uuid' } },
    { optional: true, nullable: true },
  )
  consumerIds?: string[] | null;

  /** Null: at any hour. */
  @Nested(() => ChannelHoursDto, { optional: true, nullable: true })
  hours?: ChannelHoursDto | null;

  /** A disabled channel receives nothing, also not what happened meanwhile. */
  @Truth({ optional: true })
  enabled?: boolean;
}

/** Body of `PATCH /v1/channels/:id`: absent fields stay as they are. The kind cannot be changed. */
export class ChangeChannelDto extends ChannelFieldsDto {
  @ChannelName({ optional: true })
  name?: string;
}

import { ApiExtraModels, getSchemaPath } from '@nestjs/swagger';
import { EVENT_TYPES, type EventType } from '../closed-lists.js';
import { INSTANT_PATTERN, parseInstant } from '../rules/instant.js';
import { Field } from '../rules/rule.js';
import { Text, textRule } from '../rules/text.js';
import { ListOf, NestedBy, OneOf } from '../rules/values.js';
import { AchDataDto } from './ach-event.dto.js';
import { WireDataDto } from './wire-event.dto.js';

/** An event cannot be in the future; this tolerance covers the producer's clock. */
const MAX_LEAD_MS = 5 * 60_000;

function eventDateTimeFault(text: string): string | null {
  const at = parseInstant(text);
  if (at === null) return 'must be an ISO 8601 date and time with an offset, e.g. 2025-11-20T09:30:00Z';
  return at.getTime() - Date.now() > MAX_LEAD_MS ? 'must not lie more than 5 minutes in the future' : null;
}

/** `data` has the shape that its sibling `eventType` names. */
const DataOfEventType = (): PropertyDecorator =>
  NestedBy(({ eventType }) => dataDto(eventType), {
    oneOf: [{ $ref: getSchemaPath(AchDataDto) }, { $ref: getSchemaPath(WireDataDto) }],
  });

/** No rule applies to the content of `data` for an unknown `eventType`. */
function dataDto(eventType: unknown): (new () => object) | undefined {
  switch (eventType) {
    case 'ach.status':
      return AchDataDto;
    case 'wire.status':
      return WireDataDto;
    default:
      return undefined;
  }
}

/** A status change, as a producer posts it: `POST /v1/events`. */
@ApiExtraModels(AchDataDto, WireDataDto)
export class StatusChangeDto {
  /** Type of the event, by the kind of the payment. */
  @OneOf(EVENT_TYPES, { schema: { example: 'ach.status' } })
  eventType!: EventType;

  /** When the event occurred; ISO 8601 with an offset, at most 5 minutes ahead. Sent to consumers in UTC. */
  @Text({
    also: eventDateTimeFault,
    schema: { pattern: INSTANT_PATTERN, example: '2025-11-20T09:30:00.000Z' },
  })
  eventDateTime!: string;

  /** `achEventInfo` for `ach.status`, `wireEventInfo` for `wire.status`, and nothing else. */
  @DataOfEventType()
  data!: AchDataDto | WireDataDto;

  /** Narrows the recipients to these consumers (ids or externalIds). */
  @ListOf(
    textRule({ min: 1, max: 255 }),
    { min: 1, max: 100, items: { type: 'string', minLength: 1, maxLength: 255 } },
    { optional: true },
  )
  consumers?: string[];
}

/** One item of a batch. */
export class BatchItemDto extends StatusChangeDto {
  /** Identifies the request within this producer for 7 days; without it, the content itself is the key. */
  @Text({ min: 1, max: 255, optional: true, schema: { example: 'hub-4711' } })
  idempotencyKey?: string;
}

/** `POST /v1/events/batch`. Items are independent: each is checked as a `BatchItemDto` later. */
@ApiExtraModels(BatchItemDto)
export class BatchDto {
  /** The items, accepted in this order. */
  @Field(
    (value) => {
      if (!Array.isArray(value)) return 'must be an array';
      return value.length >= 1 && value.length <= 500 ? null : 'must hold 1 to 500 events';
    },
    { type: 'array', items: { $ref: getSchemaPath(BatchItemDto) }, minItems: 1, maxItems: 500 },
  )
  events!: unknown[];
}

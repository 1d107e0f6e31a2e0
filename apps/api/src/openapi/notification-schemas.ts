import type { EventType } from '#libs/contracts';
import { nameOf, referenceTo, type Schema } from './api-document.js';
import { EVENT_KINDS } from './discriminate-events.js';

/** What consumers can rely on, in every schema of a notification; `docs/contract.md` has the whole policy. */
const POLICY =
  'Fields are added, never changed or removed: ignore what you do not know. A list of values can gain one.';

/** Keywords of requests only; a notification can gain fields. */
const OF_REQUESTS = new Set([
  'additionalProperties',
  'maxLength',
  'maxItems',
  'default',
  'example',
  'examples',
]);

/** Adds the schema of a notification, and those that it refers to. @returns its name */
export function addNotification(eventType: EventType, schemas: Record<string, Schema>): string {
  const { prefix } = EVENT_KINDS[eventType];
  const posted = schemas[`${prefix}StatusChangeDto`]?.properties ?? {};
  const name = `${prefix}Notification`;
  schemas[name] = {
    type: 'object',
    description: POLICY,
    properties: {
      notificationId: {
        type: 'string',
        description: 'Identifies the notification, and is the same in every attempt: process it only once.',
      },
      eventType: sent(posted['eventType'] ?? {}, schemas),
      eventDateTime: {
        type: 'string',
        description: 'When the status changed, in UTC with milliseconds.',
        format: 'date-time',
      },
      data: { description: 'The payment and its new status.', ...sent(posted['data'] ?? {}, schemas) },
    },
    required: ['notificationId', 'eventType', 'eventDateTime', 'data'],
  };
  return name;
}

/** A schema of what is sent, made from that of what is posted; the schemas that it refers to are added without `Dto`. */
function sent(posted: Schema, schemas: Record<string, Schema>): Schema {
  const text = JSON.stringify(posted, (key, value: unknown) => {
    if (OF_REQUESTS.has(key)) return undefined;
    if (typeof value !== 'string') return withDefaults(value);
    // The rest of a description is for producers.
    if (key === 'description') return value.split('. ')[0]?.replace(/\.?$/, '.');
    if (key !== '$ref') return value;
    const name = nameOf({ $ref: value }) ?? '';
    const own = name.replace(/Dto$/, '');
    schemas[own] ??= sent(schemas[name] ?? {}, schemas);
    return referenceTo(own);
  });
  const made: Schema = JSON.parse(text);
  return made;
}

/** A field with a default is always sent. */
function withDefaults(value: unknown): unknown {
  if (!hasFields(value)) return value;
  const { properties = {}, required = [], ...rest } = value;
  const filled = Object.keys(properties).filter((name) => properties[name]?.default !== undefined);
  return filled.length === 0 ? value : { ...rest, properties, required: [...required, ...filled] };
}

const hasFields = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && 'properties' in value;

import { EVENT_TYPES, type EventType } from '#libs/contracts';
import { referenceTo, type ApiDocument, type Schema } from './api-document.js';

/** For each type of event: the prefix of its schemas, the schema of its `data`, and the payment in words. */
export const EVENT_KINDS: Readonly<
  Record<EventType, { readonly prefix: string; readonly data: string; readonly payment: string }>
> = {
  'ach.status': { prefix: 'Ach', data: 'AchDataDto', payment: 'an ACH payment' },
  'wire.status': { prefix: 'Wire', data: 'WireDataDto', payment: 'a wire' },
};

/**
 * Makes `data` depend on `eventType`: a status change has one alternative for each type, with the discriminator
 * `eventType`. Changes the document in place.
 */
export function discriminateEvents({ components: { schemas } }: ApiDocument): void {
  for (const name of ['StatusChangeDto', 'BatchItemDto']) {
    const { properties, description, ...either }: Schema = schemas[name] ?? {};
    const mapping: Record<string, string> = {};
    for (const eventType of EVENT_TYPES) {
      const { prefix, data } = EVENT_KINDS[eventType];
      schemas[`${prefix}${name}`] = {
        ...either,
        properties: {
          ...properties,
          eventType: { ...properties?.['eventType'], enum: [eventType], example: eventType },
          data: { $ref: referenceTo(data) },
        },
      };
      mapping[eventType] = referenceTo(`${prefix}${name}`);
    }
    schemas[name] = {
      ...(description === undefined ? {} : { description }),
      oneOf: Object.values(mapping).map(($ref) => ({ $ref })),
      discriminator: { propertyName: 'eventType', mapping },
    };
  }
}

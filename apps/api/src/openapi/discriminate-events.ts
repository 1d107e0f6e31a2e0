import { EVENT_TYPES, type EventType } from '#libs/contracts';
import { referenceTo, type ApiDocument, type Schema } from './api-document.js';

const DATA: Readonly<Record<EventType, { readonly prefix: string; readonly data: string }>> = {
  'ach.status': { prefix: 'Ach', data: 'AchDataDto' },
  'wire.status': { prefix: 'Wire', data: 'WireDataDto' },
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
      const { prefix, data } = DATA[eventType];
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

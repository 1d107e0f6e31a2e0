// The notifications as JSON Schema, one file for each event type, and their fields as a list, from the OpenAPI document:
// consumers receive what producers post, with a notificationId before it and without `consumers`.
const FOLDER = 'apps/console/src/features/portal/notifications';

/** Bounds of a request; a notification can gain fields. */
const OF_REQUESTS = new Set(['additionalProperties', 'maxLength', 'maxItems', 'example', 'examples']);

/** The path and the text of each file. */
export function notificationSchemas({ paths, components: { schemas } }) {
  const { examples } = paths['/v1/events'].post.requestBody.content['application/json'];
  const all = Object.entries(examples).map(([name, { value }]) => {
    const used = {};
    const copy = (part) => {
      if (Array.isArray(part)) return part.map(copy);
      if (typeof part !== 'object' || part === null) return part;
      if (part.$ref === undefined)
        return Object.fromEntries(
          Object.entries(part).flatMap(([key, of]) =>
            OF_REQUESTS.has(key) ? [] : [[key, key === 'description' ? firstSentence(of) : copy(of)]],
          ),
        );
      const found = part.$ref.split('/').at(-1);
      const short = found.replace(/Dto$/, '');
      used[short] ??= copy(schemas[found]);
      return { $ref: `#/$defs/${short}` };
    };
    const { eventType, data } = copy(schemas[name].properties);
    return {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: value.eventType,
      type: 'object',
      properties: {
        notificationId: {
          type: 'string',
          description: 'Identifies the notification, and is the same in every attempt: process it only once.',
        },
        eventType,
        eventDateTime: {
          type: 'string',
          description: 'When the status changed, in UTC with milliseconds.',
          format: 'date-time',
        },
        data: { description: 'The payment and its new status.', ...data },
      },
      required: ['notificationId', 'eventType', 'eventDateTime', 'data'],
      $defs: used,
      examples: [{ notificationId: '0199c2f2-7b5e-7c3a-8f00-000000000001', ...value }],
    };
  });
  const fields = Object.fromEntries(all.map((schema) => [schema.title, fieldsOf(schema, schema)]));
  return [...all.map((schema) => [`${schema.title}.schema.json`, schema]), ['fields.json', fields]].map(
    ([file, content]) => [`${FOLDER}/${file}`, `${JSON.stringify(content, null, 2)}\n`],
  );
}

/** Every field for people: each object before its fields, with the path of its name; `[]` follows the name of a list. */
const fieldsOf = ({ $defs }, { properties = {}, required = [] }, prefix = '') =>
  Object.entries(properties).flatMap(([name, property]) => {
    const resolved = ({ allOf: [{ $ref: inner } = {}] = [], $ref = inner, ...rest }) => ({
      ...$defs[$ref?.split('/').at(-1)],
      ...rest,
    });
    const { type = 'string', enum: values, items, description, ...object } = resolved(property);
    const path = `${prefix}${name}${items === undefined ? '' : '[]'}`;
    const value = values?.join(', ') ?? (items === undefined ? type : 'list');
    const below = items === undefined ? object : resolved(items);
    return [
      { path, value, isRequired: required.includes(name), about: description },
      ...fieldsOf({ $defs }, below, `${path}.`),
    ];
  });

/** The rest of a description is for producers. */
const firstSentence = (text) => text.split('. ')[0].replace(/\.?$/, '.');

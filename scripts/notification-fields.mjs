// What the portal shows of each type of notification: an example, and its fields as a list, from the webhooks of the
// OpenAPI document.
const FILE = 'apps/console/src/features/portal/notifications/notifications.json';

/** The path and the text of the file. */
export function notificationFields({ webhooks, components: { schemas } }) {
  const shown = Object.entries(webhooks).map(([eventType, { post }]) => {
    const { schema, example } = post.requestBody.content['application/json'];
    return [eventType, { example, fields: fieldsOf(schemas, resolved(schemas, schema)) }];
  });
  return [FILE, `${JSON.stringify(Object.fromEntries(shown), null, 2)}\n`];
}

/** Every field for people: each object before its fields, with the path of its name; `[]` follows the name of a list. */
const fieldsOf = (schemas, { properties = {}, required = [] }, prefix = '') =>
  Object.entries(properties).flatMap(([name, property]) => {
    const { type = 'string', enum: values, items, description, ...object } = resolved(schemas, property);
    const path = `${prefix}${name}${items === undefined ? '' : '[]'}`;
    const value = values?.join(', ') ?? (items === undefined ? type : 'list');
    const below = items === undefined ? object : resolved(schemas, items);
    return [
      { path, value, isRequired: required.includes(name), about: description },
      ...fieldsOf(schemas, below, `${path}.`),
    ];
  });

const resolved = (schemas, { allOf: [{ $ref: inner } = {}] = [], $ref = inner, ...rest }) => ({
  ...schemas[$ref?.split('/').at(-1)],
  ...rest,
});

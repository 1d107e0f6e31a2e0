// Writes packages/client/src/openapi.ts and the portal's fields of the notifications from the OpenAPI document of the built
// api. With --check it changes nothing and exits with 1 when a file is stale.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import openapiTS, { astToString } from 'openapi-typescript';
import { notificationFields } from './notification-fields.mjs';

const FILE = 'packages/client/src/openapi.ts';
const HEAD = '/** Generated from the OpenAPI document by `npm run client`. Not to be edited. */\n\n';

const document = execFileSync(process.execPath, ['dist/apps/api/print-openapi.js'], {
  encoding: 'utf8',
  env: {},
  maxBuffer: 2 ** 26,
});
const parsed = JSON.parse(document);
const files = [notificationFields(parsed), [FILE, HEAD + astToString(await openapiTS(onlyJson(parsed)))]];

for (const [file, text] of files) {
  if (!process.argv.includes('--check')) {
    writeFileSync(file, text);
  } else if (readFileSync(file, 'utf8') !== text) {
    process.stderr.write(`${file} is stale. Generate it again: npm run client\n`);
    process.exitCode = 1;
  }
}

/** Removes body examples, and other media types of answers that are available in JSON: the client requests JSON. */
function onlyJson(api) {
  for (const operation of Object.values(api.paths).flatMap(Object.values))
    for (const { content = {} } of [operation.requestBody ?? {}, ...Object.values(operation.responses)])
      for (const [type, media] of Object.entries(content)) {
        delete media.example;
        delete media.examples;
        if (content['application/json'] !== undefined && type !== 'application/json') delete content[type];
      }
  return api;
}

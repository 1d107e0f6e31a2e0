// Writes libs/client/src/openapi.d.ts from the OpenAPI document of the built api. With --check it changes nothing and
// exits with 1 when the file is not what the document would make it.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import openapiTS, { astToString } from 'openapi-typescript';

const FILE = 'libs/client/src/openapi.d.ts';
const HEAD = '/** Generated from the OpenAPI document by `npm run client`. Not to be edited. */\n\n';

const document = execFileSync(process.execPath, ['dist/apps/api/src/openapi/print-openapi.js'], {
  encoding: 'utf8',
  env: {},
  maxBuffer: 2 ** 26,
});
const text = HEAD + astToString(await openapiTS(document));

if (!process.argv.includes('--check')) {
  writeFileSync(FILE, text);
} else if (readFileSync(FILE, 'utf8') !== text) {
  process.stderr.write(`${FILE} is not what the api says. Make it again: npm run client\n`);
  process.exitCode = 1;
}

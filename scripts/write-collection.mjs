// Writes docs/collection.json: the requests of the API for Postman and Bruno, made from the OpenAPI document by
// openapi-to-postmanv2. npx fetches the tool when somebody needs it: as a dependency it would bring 59 packages and 40 MB
// to every installation. A test compares the file with the document, so that a stale one is noticed.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const FILE = 'docs/collection.json';
const REQUESTS = 'dist/requests.json';

const document = JSON.parse(
  execFileSync(process.execPath, ['dist/apps/api/print-openapi.js'], { env: {}, maxBuffer: 2 ** 26 }),
);
document.servers = [{ url: 'http://localhost:3000' }];
// The collection would repeat each request with every answer.
for (const operation of Object.values(document.paths).flatMap(Object.values)) operation.responses = {};
writeFileSync(REQUESTS, JSON.stringify(document));
const options = 'folderStrategy=Tags,parametersResolution=Example,enableOptionalParameters=false';
execFileSync('npx', ['--yes', 'openapi-to-postmanv2@6.3.3', '-s', REQUESTS, '-o', FILE, '-p', '-O', options]);
process.stdout.write(`${FILE}: ${(readFileSync(FILE).length / 1_000).toFixed()} kB\n`);

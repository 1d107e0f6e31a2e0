import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ApiDocument, Schema } from '#apps/api/src/openapi/api-document';
import { schemaFile } from '#apps/api/src/openapi/schema-file';
import { EVENT_TYPES } from '#libs/contracts';
import { printedDocument } from '#test/support/api-document';
import { asAnswer, incompatibleChanges } from '#test/support/incompatible-changes';

/** What was stored with the last release: `npm run release:store`. */
function released(file: string): { $defs?: object } {
  const content: { $defs?: object } = JSON.parse(readFileSync(`test/released/${file}`, 'utf8'));
  return content;
}
const document = await printedDocument<ApiDocument & Awaited<ReturnType<typeof printedDocument>>>();

describe('shapes of the last release', () => {
  it('the API document breaks nothing of the last release’s', () => {
    expect(incompatibleChanges(released('openapi.json'), document)).toEqual([]);
  });

  it.each(EVENT_TYPES)('the notification %s breaks nothing of the last release’s', (eventType) => {
    const before = released(`${eventType}.schema.json`);
    expect(incompatibleChanges(asAnswer(before), asAnswer(schemaFile(document, eventType)))).toEqual([]);
  });
});

/** What a change of one schema breaks. Only one path is compared: that of all takes a second. */
function brokenBy(name: string, change: (fields: Record<string, Schema>, schema: Schema) => void): string[] {
  const before = { ...document, paths: { '/v1/events': document.paths['/v1/events'] } };
  const after = structuredClone(before);
  const schema = after.components.schemas[name] ?? {};
  change(schema.properties ?? {}, schema);
  return incompatibleChanges(before, after);
}

/** The same of a notification. */
function brokenInNotification(change: (fields: Record<string, Schema>, schema: Schema) => void): string[] {
  const before = schemaFile(document, 'ach.status');
  const after = structuredClone(before);
  change(after.$defs['AchParty']?.properties ?? {}, after.$defs['AchParty'] ?? {});
  return incompatibleChanges(asAnswer(before), asAnswer(after));
}

describe('comparison with the last release', () => {
  it.each<[change: string, broken: string[], where: RegExp]>([
    [
      'a field that is gone from an answer',
      brokenBy('AcceptedDto', (fields) => delete fields['duplicate']),
      /^remove .* 202 .*duplicate$/,
    ],
    [
      'another type of a field of an answer',
      brokenBy('AcceptedDto', (fields) => (fields['duplicate'] = { type: 'string' })),
      /^replace .* 202 .*duplicate type$/,
    ],
    [
      'a value more in an answer’s list',
      brokenBy('AcceptedDto', (fields) => fields['eventType']?.enum?.push('fax.status')),
      /^add .* 202 .*eventType enum/,
    ],
    [
      'a field that a request must have now',
      brokenBy('AchEventInfoDto', (_, schema) => schema.required?.push('traceNumber')),
      /^add .*requestBody.*required/,
    ],
    [
      'a field that a request may not have any more',
      brokenBy('AchEventInfoDto', (fields) => delete fields['traceNumber']),
      /^remove .*requestBody.*traceNumber$/,
    ],
    [
      'a shorter field of a request',
      brokenBy('AchEventInfoDto', (fields) => (fields['transactionId'] = { type: 'string', maxLength: 9 })),
      /^replace .*requestBody.*transactionId maxLength$/,
    ],
    [
      'a field that is gone from a notification',
      brokenInNotification((fields) => delete fields['name']),
      /^remove .*name$/,
    ],
    [
      'another type of a field of a notification',
      brokenInNotification((fields) => (fields['name'] = { type: 'integer' })),
      /^replace .*name type$/,
    ],
    [
      'a field of a notification that is not always there any more',
      brokenInNotification((_, schema) => schema.required?.pop()),
      /^remove .*required/,
    ],
  ])('%s is incompatible with the last release', (_, broken, where) => {
    expect(broken).toEqual([expect.stringMatching(where), ...broken.slice(1)]);
  });

  it('a path that is gone is incompatible with the last release', () => {
    const paths = { '/v1/search': document.paths['/v1/search'] };
    expect(incompatibleChanges({ ...document, paths }, { ...document, paths: {} })).toEqual([
      'remove paths /v1/search get',
    ]);
  });

  it('added fields are compatible with the last release', () => {
    const added: Schema = { type: 'string', description: 'Added.' };
    expect(brokenBy('AcceptedDto', (fields) => (fields['ofLater'] = added))).toEqual([]);
    expect(brokenBy('AchEventInfoDto', (fields) => (fields['ofLater'] = added))).toEqual([]);
    expect(brokenInNotification((fields) => (fields['ofLater'] = added))).toEqual([]);
  });
});

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ApiDocument, Schema } from '#apps/api/src/openapi/api-document';
import { schemaFile } from '#apps/api/src/openapi/schema-file';
import { EVENT_TYPES } from '#libs/contracts';
import { printedDocument } from '#test/support/api-document';
import { asAnswer, incompatibleChanges } from '#test/support/incompatible-changes';

/** What was stored with the last release: `npm run release:store`. */
const released: ApiDocument = JSON.parse(readFileSync('test/released/openapi.json', 'utf8'));
const document = await printedDocument<ApiDocument & Awaited<ReturnType<typeof printedDocument>>>();

describe('shapes of the last release', () => {
  it('the API document breaks nothing of the last release’s', () => {
    expect(incompatibleChanges(released, document)).toEqual([]);
  });

  it.each(EVENT_TYPES)('the notification %s breaks nothing of the last release’s', (eventType) => {
    const before = schemaFile(released, eventType);
    expect(before.properties).toHaveProperty('notificationId');
    expect(incompatibleChanges(asAnswer(before), asAnswer(schemaFile(document, eventType)))).toEqual([]);
  });
});

type Change = (fields: Record<string, Schema>, schema: Schema) => unknown;

/** What a change of one schema breaks, in lines. Only one path is compared: that of all takes a second. */
function brokenBy(name: string, change: Change): string {
  const before = { ...document, paths: { '/v1/events': document.paths['/v1/events'] } };
  const after = structuredClone(before);
  const schema = after.components.schemas[name] ?? {};
  change(schema.properties ?? {}, schema);
  return incompatibleChanges(before, after).join('\n');
}
const ofAnswer = (change: Change): string => brokenBy('AcceptedDto', change);
const ofRequest = (change: Change): string => brokenBy('AchEventInfoDto', change);

function ofNotification(change: Change): string {
  const before = schemaFile(document, 'ach.status');
  const after = structuredClone(before);
  change(after.$defs['AchParty']?.properties ?? {}, after.$defs['AchParty'] ?? {});
  return incompatibleChanges(asAnswer(before), asAnswer(after)).join('\n');
}

describe('comparison with the last release', () => {
  it('a field of an answer or a notification that is gone, optional or of another type breaks the last release', () => {
    expect(ofAnswer((of) => delete of['duplicate'])).toMatch(/^remove .* 202 .*duplicate$/m);
    expect(ofAnswer((of) => (of['duplicate'] = { type: 'string' }))).toMatch(/^replace .*duplicate type$/m);
    expect(ofNotification((of) => delete of['name'])).toMatch(/^remove .*name$/m);
    expect(ofNotification((of) => (of['name'] = { type: 'integer' }))).toMatch(/^replace .*name type$/m);
    expect(ofNotification((_, { required }) => required?.pop())).toMatch(/^remove .*required/m);
  });

  it('a field of a request that is gone, shorter or required breaks the last release', () => {
    const shorter: Schema = { type: 'string', maxLength: 9 };
    expect(ofRequest((of) => delete of['traceNumber'])).toMatch(/^remove .*traceNumber$/m);
    expect(ofRequest((of) => (of['transactionId'] = shorter))).toMatch(
      /^replace .*transactionId maxLength$/m,
    );
    expect(ofRequest((_, { required }) => required?.push('traceNumber'))).toMatch(/^add .*required/m);
  });

  it('a path that is gone breaks the last release', () => {
    const paths = { '/v1/search': document.paths['/v1/search'] };
    expect(incompatibleChanges({ ...document, paths }, { ...document, paths: {} })).toEqual([
      'remove paths /v1/search get',
    ]);
  });

  it('an added field breaks nothing of the last release', () => {
    const added: Schema = { type: 'string', description: 'Added.' };
    for (const broken of [ofAnswer, ofRequest, ofNotification])
      expect(broken((of) => (of['ofLater'] = added))).toBe('');
  });
});

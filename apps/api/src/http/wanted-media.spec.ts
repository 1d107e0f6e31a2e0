import { describe, expect, it } from '@jest/globals';
import { wantedMedia } from './wanted-media.js';

describe('wantedMedia', () => {
  it.each([
    [undefined, 'application/json'],
    ['*/*', 'application/json'],
    ['text/csv', 'text/csv'],
    ['TEXT/CSV; charset=utf-8', 'text/csv'],
    ['application/json, text/csv', 'application/json'],
    ['application/json;q=0.5, text/csv;q=0.9', 'text/csv'],
    ['text/csv;q=0', 'application/json'],
    ['text/html', 'application/json'],
    ['application/x-ndjson', 'application/json'],
  ])('an Accept header %j selects %s', (accept, media) => {
    expect(wantedMedia(accept, ['text/csv'])).toBe(media);
  });
});

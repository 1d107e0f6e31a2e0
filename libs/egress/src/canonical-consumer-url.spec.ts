import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { canonicalConsumerUrl } from './canonical-consumer-url.js';
import { requestTarget } from './request-target.js';

const https = { allowHttp: false };

describe('canonicalConsumerUrl', () => {
  it.each([
    [
      'https://consumer.example/ach-payments-api/v1/hook',
      'https://consumer.example/ach-payments-api/v1/hook',
    ],
    ['HTTPS://Consumer.Example:443/Hook', 'https://consumer.example/Hook'],
    ['https://consumer.example', 'https://consumer.example/'],
    ['https://consumer.example/a b', 'https://consumer.example/a%20b'],
    ['https://consumer.example/a/../b/./c', 'https://consumer.example/b/c'],
    ['https://bücher.example/ü?ü', 'https://xn--bcher-kva.example/%C3%BC?%C3%BC'],
    ['https://consumer.example/@a?b=c@d', 'https://consumer.example/@a?b=c@d'],
    ['https://0x7f.1/', 'https://127.0.0.1/'],
    ['https://2130706433/', 'https://127.0.0.1/'],
    ['https://[0:0:0:0:0:0:0:1]/', 'https://[::1]/'],
    ['https://consumer.example/a?', 'https://consumer.example/a?'],
  ])('normalises the consumer URL %p to %p', (raw, url) => {
    expect(canonicalConsumerUrl(raw, https)).toEqual({ ok: true, url });
  });

  it.each([
    ['consumer.example/hook', 'absolute'],
    ['', 'absolute'],
    ['https://', 'absolute'],
    ['https://256.1.1.1/', 'absolute'],
    ['http://consumer.example/', 'https://'],
    ['ftp://consumer.example/', 'https://'],
    ['javascript:alert(1)', 'https://'],
    ['https://user@consumer.example/', 'user name'],
    ['https://:secret@consumer.example/', 'user name'],
    ['https://consumer.example/#a', 'fragment'],
    ['https://consumer.example/#', 'fragment'],
    ['https://consumer.example#', 'fragment'],
    ['https://@consumer.example/', 'user name'],
    ['https://:@consumer.example/', 'user name'],
    ['https://user@consumer.example@evil.example/', 'user name'],
    [' https://consumer.example/', 'begin or end with a blank'],
    ['https://consumer.example/ ', 'begin or end with a blank'],
    ['https://consumer.example/\n', 'begin or end with a blank'],
    ['https://consumer.example/\u00a0', 'begin or end with a blank'],
    ['https://consumer.example/a\tb', 'tabs, line breaks'],
    ['https://consumer\n.example/', 'tabs, line breaks'],
    ['ht\rtps://consumer.example/', 'tabs, line breaks'],
    ['https://consumer.example/\u0000', 'control characters'],
    ['https:\\\\consumer.example\\a', 'backslash'],
    ['https://consumer.example\\@evil.example/', 'backslash'],
    ['https://consumer.example/a\\b', 'backslash'],
    ['https:consumer.example/', 'must begin with https://'],
    ['https:/consumer.example/', 'must begin with https://'],
    ['https:///consumer.example/', 'must begin with https://'],
    [`https://consumer.example/${'a'.repeat(2_024)}`, '2048'],
  ])('refuses the consumer URL %p', (raw, word) => {
    expect(canonicalConsumerUrl(raw, https)).toEqual({ ok: false, message: expect.stringContaining(word) });
  });

  it('accepts a consumer URL of 2,048 characters, and http where the installation permits it', () => {
    expect(canonicalConsumerUrl(`https://consumer.example/${'a'.repeat(2_023)}`, https).ok).toBe(true);
    expect(canonicalConsumerUrl('http://127.0.0.1:80/x', { allowHttp: true })).toEqual({
      ok: true,
      url: 'http://127.0.0.1/x',
    });
    expect(canonicalConsumerUrl('ftp://a/', { allowHttp: true }).ok).toBe(false);
  });

  it('refuses a consumer URL with a character that the URL parser would remove silently', () => {
    const stripped = fc.constantFrom('\t', '\n', '\r');
    fc.assert(
      fc.property(fc.webUrl({ validSchemes: ['https'] }), stripped, fc.nat(), (url, character, at) => {
        const cut = at % (url.length + 1);
        expect(canonicalConsumerUrl(url.slice(0, cut) + character + url.slice(cut), https).ok).toBe(false);
      }),
    );
  });

  it('returns a canonical URL that stays the same and is requested unchanged', () => {
    const urls = fc.webUrl({ withQueryParameters: true, validSchemes: ['https'] });
    fc.assert(
      fc.property(urls, fc.constantFrom('', '?', '/'), (raw, end) => {
        const once = canonicalConsumerUrl(raw + end, https);
        const url = once.ok ? once.url : '';
        expect(canonicalConsumerUrl(url, https)).toEqual({ ok: true, url });
        const { origin, path } = requestTarget(url);
        expect(origin + path).toBe(url);
        expect(path.startsWith('/')).toBe(true);
      }),
    );
  });
});

describe('requestTarget', () => {
  it.each([
    'https://a.example',
    'https://a.example/#',
    'https://u@a.example/',
    'https://A.example/',
    'ftp://a/',
    'x',
  ])('throws for the URL %p, which would be requested differently than signed', (url) => {
    expect(() => requestTarget(url)).toThrow(TypeError);
  });
});

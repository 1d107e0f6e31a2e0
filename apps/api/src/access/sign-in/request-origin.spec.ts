import { describe, expect, it } from '@jest/globals';
import { requestSite, requestScheme } from './request-origin.js';

describe('requestSite', () => {
  const host = 'console.bank.example';
  it.each([
    [{ host, 'sec-fetch-site': 'same-origin' }, 'own'],
    [{ host, 'sec-fetch-site': 'none' }, 'own'],
    [{ host, 'sec-fetch-site': 'same-site' }, 'foreign'],
    [{ host, 'sec-fetch-site': 'cross-site', origin: `https://${host}` }, 'foreign'],
    [{ host, origin: `https://${host}` }, 'own'],
    [{ host, origin: `https://${host}:8443` }, 'foreign'],
    [{ host, origin: 'https://evil.example' }, 'foreign'],
    [{ host, origin: 'null' }, 'foreign'],
    [{ host }, 'unknown'],
  ])('classifies the site of a request with %j as %s', (headers, site) =>
    expect(requestSite(headers)).toBe(site),
  );
});

describe('requestScheme', () => {
  it.each([
    [{ host: 'console.bank.example', origin: 'https://console.bank.example' }, 'https'],
    [{ host: 'localhost:3000', origin: 'http://localhost:3000' }, 'loopback'],
    [{ host: '127.0.0.1:3000', origin: 'http://127.0.0.1:3000' }, 'loopback'],
    [{ host: '[::1]:3000', origin: 'http://[::1]:3000' }, 'loopback'],
    [{ host: '10.0.0.7:3000', origin: 'http://10.0.0.7:3000' }, 'plain'],
    [{ host: 'localhost.evil.example', origin: 'http://localhost.evil.example' }, 'plain'],
    // A proxy on the same machine that sends its own name for the dispatcher.
    [{ host: '127.0.0.1:3000', origin: 'https://console.bank.example' }, 'https'],
    [{ host: '127.0.0.1:3000' }, 'loopback'],
    [{ host: 'console.bank.example' }, 'https'],
  ])('classifies the connection of a request with %j as %s', (headers, way) =>
    expect(requestScheme(headers)).toBe(way),
  );
});

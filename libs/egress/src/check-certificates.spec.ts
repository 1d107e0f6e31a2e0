import { execFileSync } from 'node:child_process';
import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { checkAuthorities } from './check-authorities.js';
import { checkClientCertificate } from './check-client-certificate.js';
import { makeAuthority, makeCertificate, type Certificate } from './testing/certificates.js';

const DAY_MS = 86_400_000;

/** The certificates hold from the moment on in which they are made. */
let NOW: Date;
let authority: Certificate;
let below: Certificate;
let client: Certificate;
let other: Certificate;

beforeAll(() => {
  authority = makeAuthority('authority', 10);
  below = makeCertificate('DNS:below', 5, { issuer: authority, isAuthority: true, commonName: 'below' });
  client = makeCertificate('DNS:us', 2, { issuer: below, usage: 'clientAuth', commonName: 'us' });
  other = makeCertificate('DNS:other', 2, { issuer: authority, usage: 'serverAuth', commonName: 'other' });
  NOW = new Date();
});

describe('checkAuthorities', () => {
  const faultOf = (pem: string, now: Date = NOW) => {
    const checked = checkAuthorities(pem, now);
    return checked.ok ? null : checked.message;
  };

  it('returns the certificates without other text, and their facts', () => {
    const chatty = `subject=CN = secret remark\n${authority.cert}\r\nmore\n${below.cert}`;
    const checked = checkAuthorities(chatty, NOW);
    expect(checked).toMatchObject({
      ok: true,
      pem: authority.cert + below.cert,
      certificates: [
        { subject: 'CN=authority', issuer: 'CN=authority' },
        { subject: 'CN=below', issuer: 'CN=authority' },
      ],
    });
  });

  it('accepts authorities and self-signed certificates', () => {
    expect(faultOf(client.cert)).toMatch(/^certificate 1 is neither an authority’s nor self-signed/);
    expect(faultOf(authority.cert + other.cert)).toMatch(/^certificate 2 is neither/);
    expect(faultOf(makeCertificate('DNS:self', 1, { isAuthority: false }).cert)).toBeNull();
  });

  it('refuses an authority from its expiry on', () => {
    const { validTo } = { validTo: new Date(NOW.getTime() + 10 * DAY_MS) };
    expect(faultOf(authority.cert, new Date(validTo.getTime() - 60_000))).toBeNull();
    expect(faultOf(authority.cert, new Date(validTo.getTime() + 60_000))).toMatch(
      /^certificate 1 has expired on 20/,
    );
  });

  it('refuses a private key, other text, and too many certificates', () => {
    expect(faultOf(authority.cert + authority.key)).toBe('must not hold a private key');
    expect(faultOf(authority.cert.replaceAll('CERTIFICATE', 'X509 CRL'))).toMatch(/^must be certificates/);
    expect(faultOf(authority.cert.replace('M', '*'))).toBe('certificate 1 cannot be read');
    expect(faultOf(authority.cert.repeat(10))).toBeNull();
    expect(faultOf(authority.cert.repeat(11))).toBe('must hold at most 10 certificates');
  });

  it('returns a fault for any text without repeating it', () => {
    const pieces = fc.constantFrom(
      '-----BEGIN CERTIFICATE-----',
      '-----END CERTIFICATE-----',
      '\n',
      'MIIB',
      '-',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(pieces, fc.string()), { maxLength: 12 }), (parts) => {
        expect(faultOf(parts.join(''))).toMatch(/^(must|certificate 1) /);
      }),
    );
  });
});

describe('checkClientCertificate', () => {
  const faultOf = (certificate: string, privateKey: string, usedFrom: Date = NOW) => {
    const checked = checkClientCertificate({ certificate, privateKey }, usedFrom);
    return checked.ok ? null : `${checked.fault.field} ${checked.fault.message}`;
  };

  it('returns chain and key in one text for every form of the key', () => {
    const sec1 = execFileSync('openssl', ['ec'], { input: client.key, stdio: 'pipe' }).toString();
    expect(sec1).toContain('EC PRIVATE KEY');
    for (const privateKey of [client.key, sec1]) {
      const chain = client.cert + below.cert;
      const checked = checkClientCertificate({ certificate: chain, privateKey }, NOW);
      expect(checked).toMatchObject({
        ok: true,
        pem: chain + client.key,
        certificates: [{ subject: 'CN=us' }, { subject: 'CN=below' }],
      });
    }
  });

  it('refuses an unreadable key and the key of another certificate', () => {
    expect(faultOf(client.cert, other.key)).toMatch(/^privateKey belongs to another certificate/);
    expect(faultOf(client.cert, client.cert)).toMatch(/^privateKey must be a private key in PEM/);
    expect(faultOf(client.cert, 'nonsense')).toMatch(/^privateKey must be a private key in PEM/);
    const command = ['pkcs8', '-topk8', '-passout', 'pass:secret'];
    const encrypted = execFileSync('openssl', command, { input: client.key, stdio: 'pipe' }).toString();
    expect(faultOf(client.cert, encrypted)).toMatch(/^privateKey must not be encrypted/);
    expect(faultOf(client.cert + client.key, client.key)).toBe('certificate must not hold a private key');
  });

  it('refuses a chain in another order or not for clients', () => {
    expect(faultOf(below.cert + client.cert, below.key)).toMatch(
      /^certificate certificate 1 was not issued by/,
    );
    expect(faultOf(client.cert + authority.cert, client.key)).toMatch(
      /^certificate certificate 1 was not issued/,
    );
    expect(faultOf(client.cert + below.cert + authority.cert, client.key)).toBeNull();
    expect(faultOf(other.cert, other.key)).toMatch(
      /^certificate certificate 1 is not for client authentication/,
    );
  });

  it('refuses a client certificate that is not valid at its first use', () => {
    const at = (ms: number) => new Date(NOW.getTime() + ms);
    expect(faultOf(client.cert, client.key, at(2 * DAY_MS - 60_000))).toBeNull();
    expect(faultOf(client.cert, client.key, at(2 * DAY_MS + 60_000))).toMatch(
      /^certificate certificate 1 ends on/,
    );
    expect(faultOf(client.cert, client.key, at(-DAY_MS))).toMatch(/^certificate certificate 1 holds from/);
  });

  it('refuses a key that is too weak for TLS', () => {
    const command = 'req -x509 -newkey rsa:512 -nodes -subj /CN=weak -days 2 -keyout - -out -'.split(' ');
    const made = execFileSync('openssl', command, { stdio: 'pipe' }).toString();
    const [key = '', weak = ''] = made.split(/(?=-----BEGIN CERTIFICATE)/);
    expect(faultOf(weak, key, new Date())).toMatch(/^certificate cannot be used with TLS \(ERR_SSL/);
  });
});

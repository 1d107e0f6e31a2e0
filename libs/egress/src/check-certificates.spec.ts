import { execFileSync } from 'node:child_process';
import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { checkAuthorities } from './check-authorities.js';
import { checkClientCertificate } from './check-client-certificate.js';
import { makeAuthority, makeCertificate, type Certificate } from './testing/certificates.js';

const DAY_MS = 86_400_000;

/** Set after the certificates are made, since they are valid from then on. */
let NOW: Date;
let authority: Certificate;
let intermediate: Certificate;
let client: Certificate;
let other: Certificate;

beforeAll(() => {
  authority = makeAuthority('authority', 10);
  intermediate = makeCertificate('DNS:sub', 5, { issuer: authority, isAuthority: true, commonName: 'sub' });
  client = makeCertificate('DNS:bank', 2, { issuer: intermediate, usage: 'clientAuth', commonName: 'bank' });
  other = makeCertificate('DNS:other', 2, { issuer: authority, usage: 'serverAuth', commonName: 'other' });
  NOW = new Date();
});

describe('checkAuthorities', () => {
  const faultOf = (pem: string, now: Date = NOW) => {
    const checked = checkAuthorities(pem, now);
    return checked.ok ? null : checked.message;
  };

  it('returns the facts and the PEM text of authorities without the text around them', () => {
    const withOtherText = `subject=CN = secret remark\n${authority.cert}\r\nmore\n${intermediate.cert}`;
    const checked = checkAuthorities(withOtherText, NOW);
    expect(checked).toMatchObject({
      ok: true,
      pem: authority.cert + intermediate.cert,
      certificates: [
        { subject: 'CN=authority', issuer: 'CN=authority' },
        { subject: 'CN=sub', issuer: 'CN=authority' },
      ],
    });
  });

  it('accepts only authorities and self-signed certificates as trusted authorities', () => {
    expect(faultOf(client.cert)).toMatch(/^certificate 1 is neither an authority’s nor self-signed/);
    expect(faultOf(authority.cert + other.cert)).toMatch(/^certificate 2 is neither/);
    expect(faultOf(makeCertificate('DNS:self', 1, { isAuthority: false }).cert)).toBeNull();
  });

  it('refuses an authority that has expired', () => {
    const { validTo } = { validTo: new Date(NOW.getTime() + 10 * DAY_MS) };
    expect(faultOf(authority.cert, new Date(validTo.getTime() - 60_000))).toBeNull();
    expect(faultOf(authority.cert, new Date(validTo.getTime() + 60_000))).toMatch(
      /^certificate 1 has expired on 20/,
    );
  });

  it('refuses a private key, other text, and more than 10 certificates as trusted authorities', () => {
    expect(faultOf(authority.cert + authority.key)).toBe('must not hold a private key');
    expect(faultOf(authority.cert.replaceAll('CERTIFICATE', 'X509 CRL'))).toMatch(/^must be certificates/);
    expect(faultOf(authority.cert.replace('M', '*'))).toBe('certificate 1 cannot be read');
    expect(faultOf(authority.cert.repeat(10))).toBeNull();
    expect(faultOf(authority.cert.repeat(11))).toBe('must hold at most 10 certificates');
  });

  it('returns a fault for any text that is no certificate, without repeating the text', () => {
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

  it('returns a client certificate’s chain and key in one text for every format of the key', () => {
    const sec1 = execFileSync('openssl', ['ec'], { input: client.key, stdio: 'pipe' }).toString();
    expect(sec1).toContain('EC PRIVATE KEY');
    for (const privateKey of [client.key, sec1]) {
      const chain = client.cert + intermediate.cert;
      const checked = checkClientCertificate({ certificate: chain, privateKey }, NOW);
      expect(checked).toMatchObject({
        ok: true,
        pem: chain + client.key,
        certificates: [{ subject: 'CN=bank' }, { subject: 'CN=sub' }],
      });
    }
  });

  it('refuses a client certificate with an unreadable key or the key of another certificate', () => {
    expect(faultOf(client.cert, other.key)).toMatch(/^privateKey belongs to another certificate/);
    expect(faultOf(client.cert, client.cert)).toMatch(/^privateKey must be a private key in PEM/);
    expect(faultOf(client.cert, 'nonsense')).toMatch(/^privateKey must be a private key in PEM/);
    const command = ['pkcs8', '-topk8', '-passout', 'pass:secret'];
    const encrypted = execFileSync('openssl', command, { input: client.key, stdio: 'pipe' }).toString();
    expect(faultOf(client.cert, encrypted)).toMatch(/^privateKey must not be encrypted/);
    expect(faultOf(client.cert + client.key, client.key)).toBe('certificate must not hold a private key');
  });

  it('refuses a client certificate’s chain in the wrong order or for another usage', () => {
    expect(faultOf(intermediate.cert + client.cert, intermediate.key)).toMatch(
      /^certificate certificate 1 was not issued by/,
    );
    expect(faultOf(client.cert + authority.cert, client.key)).toMatch(
      /^certificate certificate 1 was not issued/,
    );
    expect(faultOf(client.cert + intermediate.cert + authority.cert, client.key)).toBeNull();
    expect(faultOf(other.cert, other.key)).toMatch(
      /^certificate certificate 1 is not for client authentication/,
    );
  });

  it('refuses a client certificate that is not valid when it is first used', () => {
    const at = (ms: number) => new Date(NOW.getTime() + ms);
    expect(faultOf(client.cert, client.key, at(2 * DAY_MS - 60_000))).toBeNull();
    expect(faultOf(client.cert, client.key, at(2 * DAY_MS + 60_000))).toMatch(
      /^certificate certificate 1 ends on/,
    );
    expect(faultOf(client.cert, client.key, at(-DAY_MS))).toMatch(/^certificate certificate 1 holds from/);
  });

  it('refuses a client certificate whose key is too weak for TLS', () => {
    const command = 'req -x509 -newkey rsa:512 -nodes -subj /CN=weak -days 2 -keyout - -out -'.split(' ');
    const made = execFileSync('openssl', command, { stdio: 'pipe' }).toString();
    const [key = '', weak = ''] = made.split(/(?=-----BEGIN CERTIFICATE)/);
    expect(faultOf(weak, key, new Date())).toMatch(/^certificate cannot be used with TLS \(ERR_SSL/);
  });
});

import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readSignature } from './read-signature.js';

const HEX = '6964a30a8ba691eb862b88dcaf7c2a711898b436a662c3e2e1cfbef65bdb2dcd';
const BASE64 = Buffer.from(HEX, 'hex').toString('base64');
const PREFIXES = ['sha256=', 'SHA-256=', 'hmac-sha256: ', 'x-signature: ', 'v1=', '0x'];

it.each([
  [`\tsha256=${HEX.toUpperCase()} `, ['signature_blanks', 'signature_prefix', 'signature_upper_case']],
  [BASE64.slice(0, -1), ['signature_base64']],
  ...PREFIXES.map((prefix): [string, string[]] => [prefix + HEX, ['signature_prefix']]),
])('reads a signature from %j', (text, forms) => {
  expect(readSignature(text)).toEqual({ bytes: Buffer.from(HEX, 'hex'), forms });
});

it('reads no signature from a text with other characters, or of another length', () => {
  const others = ['', ' ', HEX.slice(1), `${HEX}0`, `${HEX.slice(1)}g`, `md5=${HEX}`, BASE64.slice(2)];
  for (const text of [...others, `${HEX} ${HEX}`]) expect(readSignature(text)).toBeNull();
});

it('reads any 32 bytes from hexadecimal, base64 and base64url', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (given) => {
      const bytes = Buffer.from(given);
      for (const encoding of ['hex', 'base64', 'base64url'] as const)
        expect(readSignature(bytes.toString(encoding))?.bytes).toEqual(bytes);
    }),
  );
});

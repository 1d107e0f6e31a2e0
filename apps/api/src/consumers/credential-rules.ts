import { Text } from '#libs/contracts';

/** A signing secret that was agreed on, counted in Unicode code points; one that is made here has 49. */
export const SigningSecret = (): PropertyDecorator =>
  Text({ min: 16, max: 256, optional: true, schema: { example: 'whsec_…' } });

/** libs/vault has the rule of the characters (RFC 7617, section 2); the pattern says the same to the document. */
export const BasicUsername = (given: { optional?: boolean } = {}): PropertyDecorator =>
  Text({
    min: 1,
    max: 255,
    ...given,
    schema: { pattern: '^[^:\\u0000-\\u001f\\u007f-\\u009f]*$', example: 'bank' },
  });

export const BasicPassword = (given: { optional?: boolean } = {}): PropertyDecorator =>
  Text({ min: 1, max: 1_000, ...given, schema: { example: 'a long random text' } });

/** A consumer's private authority; libs/egress has the rules of its certificates. */
export const CaCertificate = (given: { nullable?: boolean } = {}): PropertyDecorator =>
  Text({
    min: 1,
    max: 32_768,
    optional: true,
    ...given,
    schema: { example: '-----BEGIN CERTIFICATE-----\n…' },
  });

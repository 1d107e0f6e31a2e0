import { Text } from '#libs/contracts';

/** Signing secret agreed with the consumer. The length is in Unicode code points; a generated secret has 49. */
export const SigningSecret = (): PropertyDecorator =>
  Text({ min: 16, max: 256, optional: true, schema: { example: 'whsec_at-least-16-characters' } });

/** libs/vault checks the characters (RFC 7617, section 2); the pattern repeats this rule for OpenAPI. */
export const BasicUsername = (given: { optional?: boolean } = {}): PropertyDecorator =>
  Text({
    min: 1,
    max: 255,
    ...given,
    schema: { pattern: '^[^:\\u0000-\\u001f\\u007f-\\u009f]*$', example: 'bank' },
  });

export const BasicPassword = (given: { optional?: boolean } = {}): PropertyDecorator =>
  Text({ min: 1, max: 1_000, ...given, schema: { example: 'a long random text' } });

/** PEM of a consumer's private authority; libs/egress checks its certificates. */
export const CaCertificate = (given: { nullable?: boolean } = {}): PropertyDecorator =>
  Text({
    min: 1,
    max: 32_768,
    optional: true,
    ...given,
    schema: { example: '-----BEGIN CERTIFICATE-----\n…' },
  });

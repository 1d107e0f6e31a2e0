import { Text } from '#libs/contracts';

/** The rules of a credential's shape; libs/vault has those of a Basic user name's and password's characters. */
export const SigningSecret = (): PropertyDecorator =>
  Text({ min: 16, max: 500, optional: true, schema: { example: 'whsec_…' } });

export const BasicUsername = (given: { optional?: boolean } = {}): PropertyDecorator =>
  Text({ min: 1, max: 255, ...given, schema: { example: 'bank' } });

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

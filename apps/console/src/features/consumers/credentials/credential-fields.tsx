import { PasswordInput, Radio, Stack, Textarea, TextInput } from '@mantine/core';
import type { GetInputPropsReturnType } from '@mantine/form';
import { SECRET_LENGTH, type CredentialParts } from './credential-parts';

interface CredentialFieldsProps {
  /** For a new consumer, or for a rotation, which can keep parts: by an operator, or by the consumer's own people. */
  kind: 'new' | 'rotation' | 'own';
  secret: CredentialParts['secret'];
  propsOf: (
    field: keyof CredentialParts | 'clientCertificate.certificate' | 'clientCertificate.privateKey',
  ) => GetInputPropsReturnType;
}

/** User name, password, client certificate and signing secret. */
export function CredentialFields({ kind, secret, propsOf }: CredentialFieldsProps) {
  const isNew = kind === 'new';
  const unchanged = isNew ? '' : 'Leave empty to keep';
  return (
    <Stack>
      <Radio.Group label="Signing secret" {...propsOf('secret')}>
        <Stack gap="xs" mt="xs">
          <Radio
            value="generate"
            label="Generate a new secret"
            description={
              kind === 'own'
                ? '256 random bits, shown once'
                : '256 random bits, shown once, to be handed to the customer'
            }
          />
          <Radio value="given" label="Use an agreed secret" />
          {!isNew && <Radio value="keep" label="Keep the current secret" />}
        </Stack>
      </Radio.Group>
      {secret === 'given' && (
        <PasswordInput
          label="Agreed signing secret"
          description={SECRET_LENGTH}
          required
          autoComplete="off"
          visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the secret' }}
          {...propsOf('signingSecret')}
        />
      )}
      <TextInput
        label={isNew ? 'User name' : 'New user name'}
        description={isNew ? 'Provided by the customer' : unchanged}
        required={isNew}
        autoComplete="off"
        maxLength={255}
        {...propsOf('username')}
      />
      <PasswordInput
        label={isNew ? 'Password' : 'New password'}
        description={unchanged}
        required={isNew}
        autoComplete="new-password"
        maxLength={1000}
        visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the password' }}
        {...propsOf('password')}
      />
      {kind !== 'own' && <CertificateFields isNew={isNew} unchanged={unchanged} propsOf={propsOf} />}
    </Stack>
  );
}

/** The bank's own certificate and its key. */
function CertificateFields({
  isNew,
  unchanged,
  propsOf,
}: Pick<CredentialFieldsProps, 'propsOf'> & { isNew: boolean; unchanged: string }) {
  return (
    <>
      <Textarea
        label={isNew ? 'Client certificate' : 'New client certificate'}
        description={`Only if the customer requires one (mutual TLS): PEM, ours first, then its issuers. ${unchanged}`}
        autosize
        minRows={2}
        maxRows={6}
        {...propsOf('clientCertificate.certificate')}
      />
      <Textarea
        label="Private key of the certificate"
        description="PEM without a passphrase; never shown again"
        autoComplete="off"
        autosize
        minRows={2}
        maxRows={6}
        {...propsOf('clientCertificate.privateKey')}
      />
    </>
  );
}

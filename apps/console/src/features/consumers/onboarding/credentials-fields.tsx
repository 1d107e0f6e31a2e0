import { PasswordInput, Radio, Stack, Text, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { ClientCertificateFields } from '../credentials/client-certificate-fields';
import { SECRET_LENGTH } from '../credentials/signing-secret';
import type { NewCredentials } from './new-credentials';

/** How we show who we are, and what we sign with. */
export function CredentialsFields({ form }: { form: UseFormReturnType<NewCredentials> }) {
  return (
    <Stack>
      <Text>
        Each request carries a user name and a password (HTTP Basic), and a signature made with a secret that
        only we and the customer know. All three are kept encrypted and are never shown again.
      </Text>
      <TextInput
        label="User name"
        description="That the customer gave us"
        required
        autoComplete="off"
        maxLength={255}
        {...form.getInputProps('username')}
      />
      <PasswordInput
        label="Password"
        required
        autoComplete="new-password"
        maxLength={1000}
        visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the password' }}
        {...form.getInputProps('password')}
      />
      <Radio.Group label="Signing secret" {...form.getInputProps('secret')}>
        <Stack gap="xs" mt="xs">
          <Radio
            value="generate"
            label="Make one"
            description="256 random bits, shown once at the end, to be handed to the customer"
          />
          <Radio value="given" label="Take one that was agreed on" />
        </Stack>
      </Radio.Group>
      {form.getValues().secret === 'given' && (
        <PasswordInput
          label="The agreed signing secret"
          description={SECRET_LENGTH}
          required
          autoComplete="off"
          visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the secret' }}
          {...form.getInputProps('signingSecret')}
        />
      )}
      <ClientCertificateFields
        label="Client certificate"
        empty="none is shown"
        propsOf={(field) => form.getInputProps(field)}
      />
    </Stack>
  );
}

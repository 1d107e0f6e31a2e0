import { Textarea } from '@mantine/core';
import type { GetInputPropsReturnType } from '@mantine/form';

interface ClientCertificateFieldsProps {
  label: string;
  /** Of an empty field: what it means. */
  empty: string;
  propsOf: (
    field: 'clientCertificate.certificate' | 'clientCertificate.privateKey',
  ) => GetInputPropsReturnType;
}

/** For a customer that asks for a certificate of ours. */
export function ClientCertificateFields({ label, empty, propsOf }: ClientCertificateFieldsProps) {
  return (
    <>
      <Textarea
        label={label}
        description={`For a customer that asks for one: PEM, ours first, then those that have issued it. Empty: ${empty}`}
        autosize
        minRows={2}
        maxRows={6}
        {...propsOf('clientCertificate.certificate')}
      />
      <Textarea
        label="Its private key"
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

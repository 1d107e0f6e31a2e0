/** A client certificate and its key as a form holds them, both in PEM; empty: none is given. */
export interface ClientCertificate {
  certificate: string;
  privateKey: string;
}

export const NO_CLIENT_CERTIFICATE: ClientCertificate = { certificate: '', privateKey: '' };

/** One is of no use without the other. */
export const VALIDATE_CLIENT_CERTIFICATE = {
  privateKey: (
    privateKey: string,
    { clientCertificate }: { readonly clientCertificate: ClientCertificate },
  ) =>
    (privateKey === '') === (clientCertificate.certificate === '')
      ? null
      : 'Give the certificate and its key together',
};

/** What the api takes: nothing when none is given. */
export const givenCertificate = (
  clientCertificate: ClientCertificate,
): { clientCertificate?: ClientCertificate } =>
  clientCertificate.certificate === '' ? {} : { clientCertificate };

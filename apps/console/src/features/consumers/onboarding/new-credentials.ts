import {
  NO_CLIENT_CERTIFICATE,
  VALIDATE_CLIENT_CERTIFICATE,
  type ClientCertificate,
} from '../credentials/client-certificate';
import { secretFault } from '../credentials/signing-secret';

/** The first version of a consumer's credentials as its form holds it. */
export interface NewCredentials {
  username: string;
  password: string;
  secret: 'generate' | 'given';
  signingSecret: string;
  /** Empty: the customer asks for none. */
  clientCertificate: ClientCertificate;
}

export const NO_CREDENTIALS: NewCredentials = {
  username: '',
  password: '',
  secret: 'generate',
  signingSecret: '',
  clientCertificate: NO_CLIENT_CERTIFICATE,
};

export const VALIDATE_CREDENTIALS = {
  username: (username: string) => {
    if (username === '') return 'Give a user name';
    return username.includes(':') ? 'A colon cannot stand in it' : null;
  },
  password: (password: string) => (password === '' ? 'Give a password' : null),
  signingSecret: (given: string, { secret }: NewCredentials) =>
    secret === 'given' ? secretFault(given) : null,
  clientCertificate: VALIDATE_CLIENT_CERTIFICATE,
};

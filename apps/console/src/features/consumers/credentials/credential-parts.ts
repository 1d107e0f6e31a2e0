import type { Schema } from '../../../api';

/** The parts of a version of the credentials in a form; an absent one is an empty text. */
export interface CredentialParts {
  secret: 'generate' | 'given' | 'keep';
  signingSecret: string;
  username: string;
  password: string;
  /** Both in PEM. */
  clientCertificate: { certificate: string; privateKey: string };
}

/** A rotation: the parts that change, and the time of the change. */
export interface Rotation extends CredentialParts {
  when: 'now' | 'later';
  /** ISO 8601; empty until it is chosen. */
  activateAt: string;
  /** Empty when none is asked for. */
  reason: string;
}

export const NO_PARTS: CredentialParts = {
  secret: 'generate',
  signingSecret: '',
  username: '',
  password: '',
  clientCertificate: { certificate: '', privateKey: '' },
};

const FEWEST = 16;
const MOST = 256;

/** The hint of the field for an agreed secret. */
export const SECRET_LENGTH = `${String(FEWEST)} to ${String(MOST)} characters`;

/** The error of an agreed signing secret, or null. The api counts code points, too. */
export function secretFault(secret: string): string | null {
  const length = [...secret].length;
  return length < FEWEST || length > MOST ? `Enter ${SECRET_LENGTH}` : null;
}

const VALIDATE_PARTS = {
  signingSecret: (given: string, { secret }: CredentialParts) =>
    secret === 'given' ? secretFault(given) : null,
  clientCertificate: {
    privateKey: (privateKey: string, { clientCertificate }: CredentialParts) =>
      (privateKey === '') === (clientCertificate.certificate === '')
        ? null
        : 'Enter the certificate and its key together',
  },
};

/** The first version of a consumer's credentials has them all. */
export const VALIDATE_CREDENTIALS = {
  ...VALIDATE_PARTS,
  username: (username: string) => {
    if (username === '') return 'Enter a user name';
    return username.includes(':') ? 'A user name cannot contain a colon' : null;
  },
  password: (password: string) => (password === '' ? 'Enter a password' : null),
};

export const VALIDATE_ROTATION = {
  ...VALIDATE_PARTS,
  secret: (secret: Rotation['secret'], { username, password, clientCertificate }: Rotation) =>
    secret === 'keep' && username === '' && password === '' && clientCertificate.certificate === ''
      ? 'Nothing would change'
      : null,
  activateAt: (at: string, { when }: Rotation) => (when === 'later' && at === '' ? 'Choose a time' : null),
};

/** The secret and the certificate of a registration or a rotation, for the api. */
export const secretsOf = ({ secret, signingSecret, clientCertificate }: CredentialParts) => ({
  ...(secret === 'given' ? { signingSecret } : {}),
  ...(clientCertificate.certificate === '' ? {} : { clientCertificate }),
});

/** The body of a rotation: only the parts that change. */
export const rotationOf = (rotation: Rotation): Schema<'AddCredentialsDto'> => ({
  ...secretsOf(rotation),
  generateSecret: rotation.secret === 'generate',
  ...(rotation.username === '' ? {} : { username: rotation.username }),
  ...(rotation.password === '' ? {} : { password: rotation.password }),
  ...(rotation.when === 'later' ? { activateAt: rotation.activateAt } : {}),
  ...(rotation.when === 'now' && rotation.reason !== '' ? { reason: rotation.reason.trim() } : {}),
});

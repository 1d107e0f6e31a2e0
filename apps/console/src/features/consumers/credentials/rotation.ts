import type { Schema } from '../../../api/schema';
import {
  givenCertificate,
  NO_CLIENT_CERTIFICATE,
  VALIDATE_CLIENT_CERTIFICATE,
  type ClientCertificate,
} from './client-certificate';
import { secretFault } from './signing-secret';

/** A rotation as its form holds it. */
export interface Rotation {
  secret: 'generate' | 'given' | 'keep';
  signingSecret: string;
  username: string;
  password: string;
  /** Empty: stays as it is. */
  clientCertificate: ClientCertificate;
  when: 'now' | 'later';
  /** ISO 8601; empty until it is chosen. */
  activateAt: string;
}

export const NEW_ROTATION: Rotation = {
  secret: 'generate',
  signingSecret: '',
  username: '',
  password: '',
  clientCertificate: NO_CLIENT_CERTIFICATE,
  when: 'later',
  activateAt: '',
};

export const VALIDATE_ROTATION = {
  secret: (secret: Rotation['secret'], { username, password, clientCertificate }: Rotation) =>
    secret === 'keep' && username === '' && password === '' && clientCertificate.certificate === ''
      ? 'Then nothing would change'
      : null,
  clientCertificate: VALIDATE_CLIENT_CERTIFICATE,
  signingSecret: (given: string, { secret }: Rotation) => (secret === 'given' ? secretFault(given) : null),
  activateAt: (at: string, { when }: Rotation) => (when === 'later' && at === '' ? 'Choose a time' : null),
};

/** What the api takes: only the parts that change. */
export const partsOf = (rotation: Rotation): Schema<'AddCredentialsDto'> => ({
  generateSecret: rotation.secret === 'generate',
  ...(rotation.secret === 'given' ? { signingSecret: rotation.signingSecret } : {}),
  ...(rotation.username === '' ? {} : { username: rotation.username }),
  ...(rotation.password === '' ? {} : { password: rotation.password }),
  ...givenCertificate(rotation.clientCertificate),
  ...(rotation.when === 'later' ? { activateAt: rotation.activateAt } : {}),
});

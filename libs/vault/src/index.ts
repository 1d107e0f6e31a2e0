export { parseKeyring, readKeyring, type Keyring } from './keyring.js';
export { type Credentials, type CredentialValues } from './credentials.js';
export {
  createChannelVault,
  type ChannelSecrets,
  type ChannelSecretValues,
  type ChannelVault,
} from './channel-vault.js';
export { createVault, type Vault } from './vault.js';
export { UndecryptableError } from './undecryptable-error.js';
export { createCredentialCache, type CredentialCache } from './credential-cache.js';
export { generateSigningSecret } from './generate-signing-secret.js';
export { checkPassword, checkUsername } from './check-basic-credentials.js';
export { createSignedTokens, type SignedTokens } from './signed-tokens.js';
export { keepableExchange } from './keepable-exchange.js';

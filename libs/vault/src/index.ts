export { parseKeyring, readKeyring, type Keyring, type KeyringKey, type ParsedKeyring } from './keyring.js';
export { createCredentials, type Credentials, type CredentialValues } from './credentials.js';
export { createVault, type CredentialOwner, type Vault } from './vault.js';
export { UndecryptableError, type UndecryptableReason } from './undecryptable-error.js';
export {
  createCredentialCache,
  type CredentialCache,
  type CredentialCacheOptions,
} from './credential-cache.js';
export { generateSigningSecret } from './generate-signing-secret.js';
export { checkPassword, checkUsername } from './check-basic-credentials.js';
export { createSignedTokens, type SignedTokens } from './signed-tokens.js';
export { keepableExchange } from './keepable-exchange.js';
export { redactHeaders } from './redact-headers.js';
export { echoEraser } from './erase-echo.js';
